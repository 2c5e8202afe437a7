// Step four of the long wizard: which folders, by what rules, within which limits.
import { askForFolder } from './quickstart-wizard';
import type { PlannedPath, TeamPlan } from './team-plan';
import type { Wizard } from './wizard';

export async function askForFolders(wizard: Wizard): Promise<readonly PlannedPath[]> {
  const { ask } = wizard;
  const paths: PlannedPath[] = [];
  for (let initial = '.'; ; initial = '') {
    const [path] = await askForFolder(wizard, initial);
    if (path === undefined) {
      return paths;
    }
    paths.push(path.permission === 'write' ? await withProtected(wizard, path) : path);
    if (!(await ask.confirm('Another folder?', false))) {
      return paths;
    }
  }
}

async function withProtected({ ask }: Wizard, path: PlannedPath): Promise<PlannedPath> {
  const inside = await ask.text('Paths inside it that nobody may change (empty: none)', {
    check: (answer) =>
      answer.split(',').some((each) => /^\s*(\/|\.\.(\/|\s*$))/.test(each))
        ? 'Paths inside the folder, with commas between them.'
        : undefined,
  });
  const protectedPaths = inside
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return { ...path, protectedPaths };
}

/** Only what differs from the usual rules is answered. */
export async function askForRules(
  { ask }: Wizard,
  agents: number,
): Promise<Readonly<Record<string, unknown>>> {
  const restarts = await ask.choose(
    'How often may the team start anew, when its finished work is found wanting?',
    [0, 1, 2, 3].map((value) => ({ value, label: value === 0 ? 'never' : String(value) })),
  );
  const coordination =
    restarts === 0 ? {} : { coordination: { max_orchestration_restarts: restarts } };
  if (agents === 1 || !(await ask.confirm('Change how they vote?', false))) {
    return coordination;
  }
  const degrees = ['lenient', 'balanced', 'strict'].map((value) => ({ value, label: value }));
  const sensitivity = await ask.choose('How critical are they before they vote?', degrees);
  const novelty = await ask.choose('How different must a new answer be?', degrees);
  const answers = await ask.text('Answers of one agent at most (empty: as usual)', {
    check: (answer) =>
      answer === '' || /^[1-9]\d?$/.test(answer) ? undefined : 'A number from 1 to 99.',
  });
  return {
    ...(sensitivity === 'lenient' ? {} : { voting_sensitivity: sensitivity }),
    ...(novelty === 'lenient' ? {} : { answer_novelty_requirement: novelty }),
    ...(answers === '' ? {} : { max_new_answers_per_agent: Number(answers) }),
    ...coordination,
  };
}

export async function askForLimits(
  { ask }: Wizard,
  usual: TeamPlan['limits'],
): Promise<TeamPlan['limits']> {
  const minutes = await ask.text('Minutes of one run at most', {
    initial: String(usual.minutes),
    check: (answer) =>
      /^\d+$/.test(answer) && Number(answer) >= 1 && Number(answer) <= 10_080
        ? undefined
        : 'A whole number from 1 to 10080.',
  });
  const usd = await ask.text('US dollars of one run at most (empty: no limit)', {
    initial: usual.usd === null ? '' : String(usual.usd),
    check: (answer) =>
      answer === '' || (/^\d+(\.\d+)?$/.test(answer) && Number(answer) > 0)
        ? undefined
        : 'A number above 0, such as 2.5.',
  });
  return { minutes: Number(minutes), usd: usd === '' ? null : Number(usd) };
}
