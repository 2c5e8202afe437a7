import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Citation } from '../../src/run/facts';
import { counted } from '../../src/run/selectors/formats';
import { selectSources } from '../../src/run/selectors/sources';
import { drawLink } from '../markdown/markdown';
import { usePanel } from '../panel-context';
import { Icon } from './icon';

interface SourcesProps {
  readonly citations: readonly Citation[];
  /** Whose they are, for the name of the button. */
  readonly of: string;
  readonly isClosedAtFirst?: boolean;
}

/** What a model names as its sources. Nobody has looked at them: the host stands beside each, and a click shows the target first. */
export function Sources({ citations, of, isClosedAtFirst }: SourcesProps): JSX.Element | null {
  const { post } = usePanel();
  const [isOpen, setOpen] = useState(isClosedAtFirst !== true);
  const listId = useId();
  const known = selectSources(citations);
  if (known.length === 0) {
    return null;
  }
  const text = counted(known.length, 'source', 'sources');
  return (
    <div class="sources">
      <button
        type="button"
        class="link link-plain small"
        data-item={`sources-${of}`}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-label={`${text} of ${of}`}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        {text}
      </button>
      {isOpen ? (
        <ol id={listId} class="source-list small" aria-label={`Sources of ${of}`}>
          {known.map(({ url, name, host }) => (
            <li key={url}>
              <span class="source-title" dir="auto">
                {drawLink(url, [name], (href) => post({ type: 'open-link', href }))}
              </span>
              <span class="dim">{host}</span>
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  );
}
