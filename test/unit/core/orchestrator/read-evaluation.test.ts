import { expect, test } from 'vitest';
import { readEvaluation } from '../../../../src/core/orchestrator/system-prompts';

test.each([
  ['{"decision":"submit"}', 'submit'],
  ['I say:\n```json\n{"decision":"restart","reason":"r"}\n```\nThat is all.', 'restart'],
  ['}{"decision":"submit"}', 'submit'],
  ['{"decision":"__proto__"}', ''],
  ['} and {', ''],
  ['nothing', ''],
  ['{'.repeat(1_000_000), ''],
  [`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, ''],
])('the decision in a reply is found at once, however it is written (%#)', (reply, decision) => {
  expect(readEvaluation(reply).label).toBe(decision);
});
