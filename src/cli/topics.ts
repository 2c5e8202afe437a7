import { nearest } from '../base/text';
import { UsageError } from './failure';
import type { HelpPage, HelpTopic } from './invocation';
import { type Command, commands } from './options';

/** Pages of the help beside those of commands, in the order in which they are listed. */
export const topics: readonly { readonly name: HelpTopic; readonly summary: string }[] = [
  { name: 'run', summary: 'the task, its folders, and how it is played' },
  { name: 'config', summary: 'team files: finding, checking, running without one' },
  { name: 'automation', summary: 'for scripts: what is printed and kept' },
  { name: 'sessions', summary: 'going on from an earlier run' },
  { name: 'setup', summary: 'keys, and team files that are made for you' },
  { name: 'keys', summary: 'where keys of services are looked for' },
  { name: 'examples', summary: 'lines to copy' },
  { name: 'exit-codes', summary: 'how a command ends' },
  { name: 'all', summary: 'every option of a run' },
];

/** Throws `UsageError` for a page that there is not. */
export function helpPage(written: string): HelpPage {
  const wanted = written.toLowerCase().replaceAll(/[\s_]+/g, '-');
  const topic = topics.find(({ name }) => name === wanted)?.name;
  const command = commands.find(({ name }) => name === wanted)?.name;
  if (topic !== undefined) {
    return topic;
  }
  if (command !== undefined && command !== 'run') {
    return command;
  }
  const names = [
    ...topics.map(({ name }) => name),
    ...commands.slice(1).map(({ name }: { readonly name: Command }) => name),
  ];
  const near = nearest(wanted, names);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(
    `There is no help about ${written}.${question}`,
    `Pages: ${names.join(', ')}.`,
  );
}
