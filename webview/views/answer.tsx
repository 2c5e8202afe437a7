import type { JSX } from 'preact';
import { cutSentence } from '../../src/run/selectors/sources';
import type { RunState } from '../../src/run/state';
import { Markdown } from '../markdown/markdown';
import { usePanel } from '../panel-context';
import { ToolButton } from '../parts/buttons';
import { Section } from '../parts/section';
import { Icon } from '../parts/icon';
import { Sources } from '../parts/sources';

/** The final answer, and where it can be taken. */
export function Answer({
  runId,
  answer,
}: {
  readonly runId: string;
  readonly answer: NonNullable<RunState['finalAnswer']>;
}): JSX.Element {
  const { post, isReplay } = usePanel();
  return (
    <Section
      id="answer"
      title="Answer"
      tools={
        isReplay ? null : (
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
        )
      }
    >
      <Markdown text={answer.text} />
      {answer.isCut === true ? (
        <p class="icon-line small answer-cut">
          <Icon name="warning" tone="ask" />
          <span>{cutSentence}</span>
        </p>
      ) : null}
      <Sources citations={answer.citations ?? []} of="the answer" />
    </Section>
  );
}
