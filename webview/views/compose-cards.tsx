import type { JSX } from 'preact';
import type { Forecast, HostState } from '../../src/protocol/webview';
import {
  asSentence,
  counted,
  formatCount,
  formatLimit,
  formatMoney,
  formatRange,
  formatRoughTokens,
} from '../../src/run/selectors/formats';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';

interface ForecastProps {
  readonly forecast: Forecast | null;
  readonly caps: HostState['caps'];
}

/** Price, calls and tokens as ranges, and the caps that end a run. */
export function ForecastCard({ forecast, caps }: ForecastProps): JSX.Element {
  const { post, language } = usePanel();
  return (
    <section class="card" aria-label="Forecast">
      {forecast === null ? null : <ForecastLines forecast={forecast} />}
      <p class="small">
        {capsSentence(caps, language)}{' '}
        <button
          type="button"
          class="link"
          onClick={() => post({ type: 'action', action: 'change-caps' })}
        >
          Change caps
        </button>
      </p>
    </section>
  );
}

function ForecastLines({ forecast }: { readonly forecast: Forecast }): JSX.Element {
  const { language } = usePanel();
  const { calls, tokens, costUsd, oneAgentCostUsd, hasFees } = forecast;
  const fees = hasFees && costUsd !== null ? ' Without what services charge for searches.' : '';
  const alone =
    oneAgentCostUsd === null
      ? ''
      : ` One agent alone: about ${formatMoney(oneAgentCostUsd, language)}.`;
  return (
    <>
      <p class="forecast-sums">
        {costUsd === null ? (
          <strong title="price unknown">
            <span aria-hidden="true">?</span>
            <span class="hidden-text">price unknown</span>
          </strong>
        ) : (
          <strong>
            {formatRange(formatMoney(costUsd[0], language), formatMoney(costUsd[1], language))}
          </strong>
        )}
        <span>{`${formatRange(formatCount(calls[0], language), formatCount(calls[1], language))} calls`}</span>
        <span>{`${formatRange(formatRoughTokens(tokens[0], language), formatRoughTokens(tokens[1], language))} tokens`}</span>
      </p>
      <p class="small">{`Forecast, not calibrated until 20 of your runs exist.${alone}${fees}`}</p>
    </>
  );
}

function capsSentence(caps: HostState['caps'], language: string): string {
  const limits = [
    ...(caps.durationMs === null ? [] : [formatLimit(caps.durationMs)]),
    ...(caps.modelCalls === null ? [] : [`${formatCount(caps.modelCalls, language)} calls`]),
    ...(caps.costUsd === null ? [] : [formatMoney(caps.costUsd, language)]),
  ];
  return limits.length === 0
    ? 'No cap is set.'
    : `Stops at ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(limits)}, then votes with what there is.`;
}

/** Stands where the price would be: a script costs nothing, and knows one task. */
export function ScriptNotice(): JSX.Element {
  return (
    <section class="card" aria-label="Sample">
      <p class="icon-line">
        <Icon name="info" tone="dim" />
        <span>A script, made by hand. No model runs.</span>
      </p>
      <p class="small icon-indent">
        It knows only the task of the sample project, and costs nothing.
      </p>
    </section>
  );
}

/** What commands of agents can reach, before anything runs. */
export function SafetyCard({ host }: { readonly host: HostState }): JSX.Element {
  const { unconfinedReason, confinement, unsavedFiles } = host;
  const detail = unconfinedReason ?? confinement ?? '';
  return (
    <section class="card" aria-label="Commands">
      <Confinement isKnown={detail !== ''} isConfined={unconfinedReason === null} />
      {detail === '' ? null : <p class="small icon-indent">{asSentence(detail)}</p>}
      {unsavedFiles > 0 ? (
        <p class="small icon-indent">
          {`${counted(unsavedFiles, 'unsaved file is included as it is', 'unsaved files are included as they are')} now.`}
        </p>
      ) : null}
    </section>
  );
}

/** No shield stands there before a command was really run confined. */
function Confinement({
  isKnown,
  isConfined,
}: {
  readonly isKnown: boolean;
  readonly isConfined: boolean;
}): JSX.Element {
  if (!isKnown) {
    return (
      <p class="icon-line">
        <Icon name="clock" tone="dim" />
        <span>Whether commands can be confined here is being found out.</span>
      </p>
    );
  }
  return (
    <p class="icon-line">
      {isConfined ? (
        <>
          <Icon name="shield" tone="ok" />
          <span>Commands are confined to each agent’s copy.</span>
        </>
      ) : (
        <>
          <Icon name="shield-crossed" tone="ask" />
          <span>Commands are not confined here; each one asks you first.</span>
        </>
      )}
    </p>
  );
}
