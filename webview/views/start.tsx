import type { JSX } from 'preact';
import type { HostAction } from '../../src/protocol/webview';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';
import type { IconName } from '../parts/icon';

interface Way {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly note: string;
  readonly action: HostAction;
  readonly button: string;
}

const ways: readonly Way[] = [
  {
    icon: 'sparkle',
    title: 'Models in your editor',
    text: 'Uses the models you already have here. No key needed.',
    note: 'The editor asks you once for its consent.',
    action: 'use-editor-models',
    button: 'Use Editor Models',
  },
  {
    icon: 'key',
    title: 'Your own key or local server',
    text: 'Keys stay in the editor’s secret storage, never in settings.',
    note: 'Ollama and LM Studio need no key.',
    action: 'add-key',
    button: 'Add Key or Server…',
  },
  {
    icon: 'play',
    title: 'Watch a sample, offline',
    text: 'A scripted team fixes a failing test in a sample project.',
    note: 'A script, made by hand. No model runs.',
    action: 'open-sample',
    button: 'Open Sample Project',
  },
];

/** First use: three ways to a team. */
export function StartView(): JSX.Element {
  const { post } = usePanel();
  return (
    <div class="start">
      <header class="start-head">
        <h1 class="headline">Several models. One answer you can check.</h1>
        <p>
          Each agent of a team does your task in its own copy of your folder. They compare answers
          and vote, and you see why one won. Your files change only when you accept.
        </p>
      </header>
      <div class="ways">
        {ways.map((way, i) => (
          <section class="way">
            <Icon name={way.icon} />
            <h2>{way.title}</h2>
            <p>{way.text}</p>
            <p class="way-note">
              <Icon name="info" tone="dim" />
              <span>{way.note}</span>
            </p>
            <Button
              text={way.button}
              isPrimary={i === 0}
              onClick={() => post({ type: 'action', action: way.action })}
            />
          </section>
        ))}
      </div>
      <p class="start-note">A run shows its price as a range before it starts.</p>
    </div>
  );
}
