import { type ExitCode, exitCodes } from '../exit-codes';
import { hintAtLocalModels } from './found';
import { quickstart } from './quickstart-wizard';
import { setUpKeys } from './setup-wizard';
import type { Wizard } from './wizard';

/** What somebody without a team file can do first. Declining leaves him with what to write later. */
export async function beginHere(wizard: Wizard): Promise<ExitCode> {
  const { ask, run } = wizard;
  ask.say(
    'A team of agents does one task in parallel, each in its own copy; they see each other’s answers and vote. There is no team file here yet.',
  );
  const choice = await ask.choose('How do you want to begin?', [
    { value: 'team', label: 'Make a team', hint: 'of the keys, programs and servers found here' },
    { value: 'keys', label: 'Enter keys, then make a team' },
    { value: 'show', label: 'See it at work', hint: 'scripted, without network and key' },
    { value: 'later', label: 'Later' },
  ] as const);
  switch (choice) {
    case 'team':
      return quickstart(wizard, undefined);
    case 'keys':
      await setUpKeys(wizard);
      return quickstart(wizard, undefined);
    case 'show':
      ask.end('Off we go.');
      return run(['--demo']);
    case 'later':
      ask.end(`massgen --setup, massgen --quickstart and massgen --help. ${hintAtLocalModels}`);
      return exitCodes.done;
  }
}
