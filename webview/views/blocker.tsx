import type { JSX } from 'preact';
import type { Blocker } from '../../src/protocol/webview';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';

interface BlockerProps {
  readonly blocker: Blocker;
  /** It is not the main thing on the page. */
  readonly isQuiet?: boolean;
}

/** Why nothing can start, and the way on. */
export function BlockerView({ blocker, isQuiet }: BlockerProps): JSX.Element {
  const { post } = usePanel();
  return (
    <section class="problem" aria-label="Cannot start" data-blocker={blocker.kind}>
      <header>
        <Icon name={blocker.kind === 'untrusted' ? 'shield' : 'warning'} tone="ask" />
        {isQuiet === true ? <h2>{blocker.heading}</h2> : <h1>{blocker.heading}</h1>}
      </header>
      <p>{blocker.text}</p>
      {blocker.detail.length > 0 ? (
        <ul class="code-box problem-detail problem-lines">
          {blocker.detail.map((line, i) => (
            <li key={i}>{line}</li>
          ))}
        </ul>
      ) : null}
      <div class="problem-actions">
        {blocker.actions.map(({ action, label }, i) => (
          <Button
            text={label}
            isPrimary={i === 0 && isQuiet !== true}
            onClick={() => post({ type: 'action', action })}
          />
        ))}
      </div>
    </section>
  );
}
