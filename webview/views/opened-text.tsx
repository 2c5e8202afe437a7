// A text of a run that opens over the page, where there is no editor to open it in.
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Slot } from '../../src/base/ids';
import type { FromView } from '../../src/protocol/webview';
import type { RecordedEvent } from '../../src/run/events';
import { agentName } from '../../src/run/selectors/names';
import type { RunState } from '../../src/run/state';
import { Markdown } from '../markdown/markdown';
import { Button } from '../parts/buttons';

/** An address is shown as it is, and never followed. */
export type Opened =
  | { readonly kind: 'text'; readonly title: string; readonly text: string }
  | { readonly kind: 'address'; readonly title: string; readonly text: string };

/** What a message to the host asks to read, as far as these events tell; `null`: something that only a host can do. */
export function openedBy(
  message: FromView,
  state: RunState,
  events: readonly RecordedEvent[],
): Opened | null {
  switch (message.type) {
    case 'open-answer':
      return { kind: 'text', title: message.label, text: answerText(state, message.label) };
    case 'open-agent-text': {
      const { slot } = message;
      return { kind: 'text', title: agentName(slot), text: agentText(events, slot) };
    }
    case 'open-link':
      return { kind: 'address', title: 'Address of the link', text: message.href };
    default:
      return null;
  }
}

function answerText({ agents, finalAnswer }: RunState, label: string): string {
  const revision = agents.flatMap(({ revisions }) => revisions).find((one) => one.label === label);
  return revision?.text ?? (finalAnswer?.label === label ? finalAnswer.text : '');
}

/** Finished calls, and what was written of one that is going on. */
function agentText(events: readonly RecordedEvent[], slot: Slot): string {
  const finished: string[] = [];
  let live = '';
  for (const { event } of events) {
    if (event.type === 'text-delta' && event.slot === slot && event.isThinking !== true) {
      live += event.text;
    } else if (event.type === 'model-call-ended' && event.slot === slot) {
      finished.push(event.text);
      live = '';
    }
  }
  return [...finished, live].filter((text) => text !== '').join('\n\n');
}

interface OpenedTextProps {
  readonly opened: Opened;
  readonly onClose: () => void;
}

export function OpenedText({ opened, onClose }: OpenedTextProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (dialog.current?.open === false) {
      dialog.current.showModal();
    }
  }, []);
  const { kind, title, text } = opened;
  return (
    <dialog ref={dialog} class="opened" aria-labelledby={titleId} onClose={onClose}>
      <header class="opened-head">
        <h2 id={titleId}>{title}</h2>
        <Button text="Close" onClick={() => dialog.current?.close()} />
      </header>
      <div class="opened-body" tabIndex={0} role="group" aria-labelledby={titleId}>
        {kind === 'address' ? (
          <>
            <p>This page opens no address by itself; copy it where you trust it.</p>
            <pre class="code-box">{text}</pre>
          </>
        ) : text === '' ? (
          <p class="empty">There is no text.</p>
        ) : (
          <Markdown text={text} />
        )}
      </div>
    </dialog>
  );
}
