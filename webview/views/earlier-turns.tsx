// What a session has come to before the run that is shown.
import type { JSX } from 'preact';
import type { ShownSession } from '../../src/protocol/webview';
import type { EarlierTurn } from '../../src/run/facts';
import { counted, formatCost, formatTokens } from '../../src/run/selectors/formats';
import type { RunState } from '../../src/run/state';
import { Markdown } from '../markdown/markdown';
import { usePanel } from '../panel-context';
import { Section } from '../parts/section';

interface EarlierTurnsProps {
  readonly state: RunState;
  readonly session: ShownSession | null;
}

/** Earlier tasks with their answers, folded, and what the whole session has used. */
export function EarlierTurns({ state, session }: EarlierTurnsProps): JSX.Element | null {
  const { language } = usePanel();
  if (state.session === null) {
    return null;
  }
  const { history, turn, sessionId } = state.session;
  return (
    <nav class="earlier" aria-label="Session" data-session={sessionId}>
      {history.map((earlier) => (
        <Turn key={earlier.turn} earlier={earlier} session={session} />
      ))}
      {session === null || (history.length === 0 && session.turns.length < 2) ? null : (
        <p class="small earlier-sums">
          <span>{`Turn ${turn} of ${session.turns.length}`}</span>
          <span>{`${counted(session.calls, 'call', 'calls')} in all`}</span>
          <span>{`${formatTokens(session.tokens, language)} tokens`}</span>
          <span>{formatCost(session, language)}</span>
        </p>
      )}
    </nav>
  );
}

interface TurnProps {
  readonly earlier: EarlierTurn;
  readonly session: ShownSession | null;
}

function Turn({ earlier, session }: TurnProps): JSX.Element {
  const { post, isReplay } = usePanel();
  const runId = session?.turns.find(({ turn }) => turn === earlier.turn)?.runId;
  return (
    <Section
      id={`turn-${earlier.turn}`}
      title={`Turn ${earlier.turn}`}
      note={<bdi title={earlier.task}>{earlier.task}</bdi>}
      isClosedAtFirst
      tools={
        runId === undefined || isReplay ? null : (
          <button
            type="button"
            class="link small"
            aria-label={`Open turn ${earlier.turn}`}
            onClick={() => post({ type: 'show-run', runId })}
          >
            Open
          </button>
        )
      }
    >
      <p class="earlier-task measure" dir="auto">
        {earlier.task}
      </p>
      <Markdown text={earlier.answer} />
    </Section>
  );
}
