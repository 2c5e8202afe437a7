import type { JSX } from 'preact';
import { Markdown } from '../markdown/markdown';
import { usePanel } from '../panel-context';
import { ToolButton } from '../parts/buttons';
import { Section } from '../parts/section';

/** The final answer, and where it can be taken. */
export function Answer({
  runId,
  text,
}: {
  readonly runId: string;
  readonly text: string;
}): JSX.Element {
  const { post } = usePanel();
  return (
    <Section
      id="answer"
      title="Answer"
      tools={
        <>
          <ToolButton
            icon="copy"
            name="Copy"
            onClick={() => post({ type: 'answer-to-clipboard', runId })}
          />
          <ToolButton
            icon="insert"
            name="Insert at Cursor"
            onClick={() => post({ type: 'answer-at-cursor', runId })}
          />
          <ToolButton
            icon="new-file"
            name="New File"
            onClick={() => post({ type: 'answer-to-new-file', runId })}
          />
        </>
      }
    >
      <Markdown text={text} />
    </Section>
  );
}
