import type { EarlierTurn } from './facts';

/** Turns of a session that are told as they were, as long as they fit. */
const verbatimTurns = 3;
/** What is kept of the task and of the answer of a turn before those. */
const shortenedChars = 1_200;
/** Below this much a turn says nothing any more. */
const leastChars = 200;
/** A rule of thumb; what a model is sent is measured again against its own window. */
const charsPerToken = 4;
const defaultBudgetTokens = 50_000;

/**
 * What the agents of the next turn are told about the turns before it, oldest first: the last ones as they were, older
 * ones shortened, and none beyond the budget. `null` stands for a budget that suits common models.
 */
export function boundedHistory(
  turns: readonly EarlierTurn[],
  budgetTokens: number | null,
): readonly EarlierTurn[] {
  let left = (budgetTokens ?? defaultBudgetTokens) * charsPerToken;
  const told: EarlierTurn[] = [];
  for (const [age, turn] of turns.toReversed().entries()) {
    const limit = age < verbatimTurns ? left : Math.min(left, shortenedChars);
    if (limit < Math.min(leastChars, sizeOf(turn))) {
      break;
    }
    const short = within(turn, limit);
    left -= sizeOf(short);
    told.unshift(short);
  }
  return told;
}

function sizeOf({ task, answer }: EarlierTurn): number {
  return task.length + answer.length;
}

/** The task gives way first where it is the longer one, as the answer is what the next turn builds on. */
function within({ turn, task, answer }: EarlierTurn, limit: number): EarlierTurn {
  const forTask = Math.max(Math.floor(limit / 3), limit - answer.length);
  const shortTask = shortened(task, forTask);
  return { turn, task: shortTask, answer: shortened(answer, limit - shortTask.length) };
}

/** Beginning and end, with a note of what is missing between them; never longer than `limit`. */
function shortened(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const note = `\n[… ${text.length - limit} characters or more are left out …]\n`;
  const room = Math.max(0, limit - note.length);
  const forHead = Math.ceil((room * 2) / 3);
  const head = text.slice(0, forHead).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - (room - forHead)).replace(/^[\udc00-\udfff]/, '');
  return `${head}${note}${tail}`.slice(0, limit);
}
