import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { usePanel } from '../panel-context';
import { Icon } from './icon';

interface SectionProps {
  /** Names the section in the view's memory. */
  readonly id: string;
  readonly title: string;
  /** Facts beside the title, e.g. `3 files`. */
  readonly note?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly isClosedAtFirst?: boolean;
  /** Open at first whatever the reader chose before: a command led here. */
  readonly isOpenedNow?: boolean;
  readonly children: ComponentChildren;
}

/** A part of the panel with a head that opens and closes it. What the reader chose is remembered. */
export function Section({
  id,
  title,
  note,
  tools,
  isClosedAtFirst,
  isOpenedNow,
  children,
}: SectionProps): JSX.Element {
  const { memory } = usePanel();
  const [isOpen, setOpen] = useState(
    isOpenedNow === true || (memory.value.sections[id] ?? isClosedAtFirst !== true),
  );
  const bodyId = useId();
  const toggle = (): void => {
    memory.remember({ sections: { ...memory.value.sections, [id]: !isOpen } });
    setOpen(!isOpen);
  };
  return (
    <section class="section" data-section={id}>
      <div class="section-head">
        <h2>
          <button
            type="button"
            class="section-toggle"
            aria-expanded={isOpen}
            aria-controls={bodyId}
            onClick={toggle}
          >
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
            {title}
          </button>
        </h2>
        <span class="section-note">{note}</span>
        {isOpen ? tools : null}
      </div>
      <div id={bodyId} hidden={!isOpen}>
        {isOpen ? children : null}
      </div>
    </section>
  );
}
