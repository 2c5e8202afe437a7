// Faults that a decision could have. Each is one replacement in a file, named from src/run/decision, and some test must fail
// with it. A text that is not found exactly once means that the code has moved on and the table has not.
export const mutants = [
  // --- the rule
  [
    'majority of exactly half',
    'rules.ts',
    'weight > total / 2 + tolerance',
    'weight >= total / 2 - tolerance',
  ],
  [
    'majority of the votes of others only',
    'rules.ts',
    'weight > total / 2 + tolerance',
    'weight > total / 2 + 1',
  ],
  [
    'share must be exceeded',
    'rules.ts',
    'weight >= (rules.threshold ?? 2 / 3) * total - tolerance',
    'weight > (rules.threshold ?? 2 / 3) * total + tolerance',
  ],
  [
    'threshold of two thirds, rounded',
    'rules.ts',
    'weight >= (rules.threshold ?? 2 / 3)',
    'weight >= (rules.threshold ?? 0.67)',
  ],
  [
    'threshold ignored',
    'rules.ts',
    'weight >= (rules.threshold ?? 2 / 3) * total',
    'weight >= (2 / 3) * total',
  ],
  ['unanimity without one', 'rules.ts', 'weight >= total - tolerance', 'weight >= total - 1'],
  [
    'minimum agreement off by one',
    'rules.ts',
    'weight >= rules.minAgreement - tolerance',
    'weight > rules.minAgreement + tolerance',
  ],
  ['several leaders meet the rule', 'rules.ts', 'top.length === 1 &&', 'top.length >= 1 &&'],
  ['margin off by one', 'rules.ts', 'lead >= margin - toleranceOf(total)', 'lead >= margin - 1'],
  [
    'margin must be exceeded',
    'rules.ts',
    'lead >= margin - toleranceOf(total)',
    'lead > margin + toleranceOf(total)',
  ],
  [
    'quorum rounded down',
    'rules.ts',
    'Math.ceil(quorum * voters - toleranceOf(voters))',
    'Math.floor(quorum * voters)',
  ],
  [
    'quorum rounded up past a whole number',
    'rules.ts',
    'Math.ceil(quorum * voters - toleranceOf(voters))',
    'Math.floor(quorum * voters) + 1',
  ],
  ['quorum of nobody', 'rules.ts', 'electorate.length > 0 && ballots', 'ballots'],
  [
    'need of a majority off by one',
    'rules.ts',
    'Math.floor(total / 2) + 1',
    'Math.floor(total / 2)',
  ],
  // --- the tally
  ['weights ignored', 'tally.ts', 'const weight = weights.get(voter) ?? 0;', 'const weight = 1;'],
  [
    'votes for oneself counted as votes of others',
    'tally.ts',
    'voter === target ? 0 : weight',
    'weight',
  ],
  ['votes for oneself always counted', 'tally.ts', "=== 'allow';", "!== 'none';"],
  ['votes for oneself never counted', 'tally.ts', '(isCounted ? weight : fromOther)', 'fromOther'],
  [
    'ballots of others than the electorate counted',
    'tally.ts',
    '.filter(({ voter }) => weights.has(voter))',
    '.filter(({ voter }) => voter > 0)',
  ],
  [
    'a tie goes to the first in the list',
    'tally.ts',
    '.sort((a, b) => a - b);\n  const others',
    '.sort((a, b) => a - b)\n    .slice(0, 1);\n  const others',
  ],
  [
    'the next one is the leader itself',
    'tally.ts',
    '.filter(([slot]) => slot !== top[0])',
    '.filter(([slot]) => slot > 0)',
  ],
  [
    'self-votes by panel size from two voters on',
    'self-votes.ts',
    'smallestPanelWithoutSelfVotes = 3',
    'smallestPanelWithoutSelfVotes = 2',
  ],
  [
    'self-votes by panel size only from four voters on',
    'self-votes.ts',
    'smallestPanelWithoutSelfVotes = 3',
    'smallestPanelWithoutSelfVotes = 4',
  ],
  // --- weights
  [
    'a family as many votes as members',
    'weights.ts',
    'elector.weight / familySize(electors, elector)',
    'elector.weight',
  ],
  [
    'all unknown families are one',
    'weights.ts',
    "(a.family !== '' && a.family === b.family)",
    'a.family === b.family',
  ],
  [
    'families independent',
    'weights.ts',
    'isSameFamily(a, b) ? withinFamily : 0',
    'withinFamily * 0',
  ],
  [
    'effective number without weights',
    'weights.ts',
    'weights.get(slot) ?? 0;',
    '(weights.has(slot) ? 1 : 0);',
  ],
  // --- the stop
  [
    'stop at a possible tie',
    'early-stop.ts',
    'worstLead > closeLead(rules, tally) + toleranceOf(total)',
    'worstLead >= closeLead(rules, tally) - toleranceOf(total)',
  ],
  [
    'wrong number of missing votes',
    'early-stop.ts',
    'best - second - missing : 0',
    'best - second - missing / 2 : 0',
  ],
  ['missing votes forgotten', 'early-stop.ts', 'best - second - missing : 0', 'best - second : 0'],
  [
    'stop although the lead may shrink below the margin',
    'early-stop.ts',
    'hasMargin(rules, worstLead, total)',
    'hasMargin(rules, best - second, total)',
  ],
  [
    'stop although somebody could still meet the rule',
    'early-stop.ts',
    'const reached = weight + missing;',
    'const reached = weight;',
  ],
  [
    'stop before a runoff',
    'early-stop.ts',
    "rules.onSplit === 'fail' ||",
    "rules.onSplit !== 'tie_break' ||",
  ],
  [
    'stop before a close pair is compared again',
    'early-stop.ts',
    "dualPass === 'close' ? Math.max(0, ...weights.values()) : 0",
    '0 * weights.size * dualPass.length',
  ],
  ['likelihood of too few trials', 'posterior.ts', 'wins + losses + 1;', 'wins + losses;'],
  ['likelihood without the last win', 'posterior.ts', 'k <= wins;', 'k < wins;'],
  [
    'a heavy voter counts as many',
    'posterior.ts',
    'const unit = Math.max(0, ...weights.values());',
    'const unit = Math.min(1, ...weights.values());',
  ],
  [
    'likely is enough whatever the rule',
    'early-stop.ts',
    'probability >= rules.posteriorAt && isMetByCast(poll, rules)',
    'probability >= rules.posteriorAt',
  ],
  // --- ties
  [
    'checks not asked',
    'tie-break.ts',
    'isComplete ? largest(tied, ({ evidence }) => evidence ?? 0) : [...tied]',
    '[...tied].slice(0, isComplete ? 9 : 9)',
  ],
  [
    'an unchecked answer is a bad one',
    'tie-break.ts',
    'tied.every(({ evidence }) => evidence !== null)',
    'tied.some(({ evidence }) => evidence !== null)',
  ],
  [
    'approvals of oneself count',
    'tie-break.ts',
    'voter !== slot && (target',
    'voter > 0 && (target',
  ],
  [
    'votes are no approvals',
    'tie-break.ts',
    '(target === slot || approve.includes(slot))',
    'approve.includes(slot)',
  ],
  [
    'approvals without weight',
    'tie-break.ts',
    '(weights.get(voter) ?? 0), 0);',
    '(weights.has(voter) ? 1 : 0), 0);',
  ],
  [
    'larger change',
    'tie-break.ts',
    '({ changedLines }) => -changedLines',
    '({ changedLines }) => changedLines',
  ],
  [
    'doing nothing is the smallest change',
    'tie-break.ts',
    'changedFiles === 0',
    'changedFiles < 0',
  ],
  [
    'latest and earliest exchanged',
    'tie-break.ts',
    "case 'latest':\n      return largest(tied, ({ seq }) => seq);",
    "case 'latest':\n      return largest(tied, ({ seq }) => -seq);",
  ],
  [
    'a lot over names',
    'tie-break.ts',
    '`${sha256Hex(`${seed}\\n${contentHash}`)} ',
    '`${sha256Hex(`${seed}\\n${contentHash}${label}`)} ',
  ],
  [
    'a lot without the seed',
    'tie-break.ts',
    '`${sha256Hex(`${seed}\\n${contentHash}`)} ',
    '`${sha256Hex(contentHash)} ',
  ],
  [
    'list order in place of the lot',
    'tie-break.ts',
    'return byLot(tied, rules.runSeed);',
    'return largest(tied, ({ slot }) => -slot - rules.runSeed.length);',
  ],
  [
    'list order last for every profile',
    'tie-break.ts',
    "profile === 'compat' ? 'config_order' : 'seeded_hash'",
    "profile === 'compat' ? 'config_order' : 'config_order'",
  ],
  [
    'the chain stops after one element',
    'tie-break.ts',
    'if (left.length <= 1) {',
    'if (left.length <= 1 || element !== null) {',
  ],
  [
    'the chain names its last element',
    'tie-break.ts',
    'if (left.length <= 1) {\n      break;',
    'if (left.length <= 1) {\n      element = next;\n      break;',
  ],
  // --- what it comes to
  [
    'no quorum taken for a decision',
    'decide.ts',
    '!hasQuorum(rules, tally) && !isSettled(rules, tally)',
    '!hasQuorum(rules, tally) && isSettled(rules, tally)',
  ],
  [
    'a split that should fail is decided',
    'decide.ts',
    "rules.onSplit === 'fail' && !isSatisfied(rules, tally) ? [] : tally.top",
    "rules.onSplit === 'human' && !isSatisfied(rules, tally) ? [] : tally.top",
  ],
  [
    'nobody voted taken for a tie',
    'decide.ts',
    "if (tally.ballots.length === 0) {\n    return 'none';",
    "if (tally.ballots.length < 0) {\n    return 'none';",
  ],
  // --- the ballot
  [
    'one order for all voters',
    'ballot-order.ts',
    'first.length === 0 ? 0 : row % first.length',
    'first.length === 0 ? row : 0',
  ],
  [
    'the order follows the list of voters',
    'ballot-order.ts',
    'drawn(voters, `${seed}\\nvoter`).indexOf(voter)',
    'voters.indexOf(voter)',
  ],
  // --- checks
  ['checks: one that informs keeps out', '../checks.ts', "=== 'gate').map", "!== 'other').map"],
  [
    'checks: what fails as before keeps out',
    '../checks.ts',
    "comparison === 'regression' && gates",
    "comparison !== 'fixed' && gates",
  ],
  [
    'checks: what was not run has failed',
    '../checks.ts',
    "return status !== 'not-run';",
    "return status !== 'passed' || true;",
  ],
  [
    'checks: a mended check keeps out',
    '../checks.ts',
    "isGood ? 'fixed' : 'regression'",
    "isGood ? 'regression' : 'fixed'",
  ],
  [
    'checks: the unchecked stand beside the checked',
    '../checks.ts',
    'return checked.length > 0 ? checked : answers;',
    'return answers;',
  ],
  [
    'checks: what is out is chosen when it is decided again',
    'recorded-rounds.ts',
    '!isExcluded(state, label)',
    "label !== 'agent0.0'",
  ],
  [
    'checks: no candidate taken for no vote',
    'agreement.ts',
    "decidedBy === 'gate_failed' ? 'gate-failed' :",
    "decidedBy === 'error' ? 'gate-failed' :",
  ],
  ['checks: no evidence in a poll', 'poll-of.ts', 'evidenceOf?.(one.label) ?? null', 'null'],
  [
    'checks: what is out can win',
    '../../core/coordination/ledger.ts',
    'contenders(state).filter(({ label }) => !isExcluded(state, label))',
    'contenders(state)',
  ],
  [
    'checks: an answer is shown before its checks have ended',
    '../../core/coordination/ledger.ts',
    'contenders(state).filter(({ label }) => !isUnchecked(state, label))',
    'contenders(state)',
  ],
  [
    'checks: votes are taken before the checks have ended',
    '../../core/coordination/vote.ts',
    'if (awaitsChecks(state)) {',
    "if (awaitsChecks(state) && vote.target === '') {",
  ],
  [
    'checks: the poll closes before the checks have ended',
    '../../core/coordination/poll.ts',
    'if (awaitsChecks(state)) {',
    'if (awaitsChecks(state) && state.agents.length === 0) {',
  ],
  [
    'checks: a vote for what is out is taken',
    '../../core/coordination/staleness.ts',
    'if (isExcluded(state, label)) {',
    'if (isExcluded(state, label) && slot === 0) {',
  ],
  [
    'checks: agents that wait for checks abstain',
    '../../core/coordination/activation.ts',
    'awaitsChecks(state) ||\n    state.agents.some',
    'state.agents.some',
  ],
  [
    'checks: an author that was early begins again at once',
    '../../core/coordination/activation.ts',
    '(agent.isHeldForChecks === true || !isWriting)',
    '!isWriting',
  ],
  [
    'checks: an agent tries for ever',
    '../../core/coordination/toolset.ts',
    'newest.length === mostFailedAnswers &&',
    'newest.length < 0 &&',
  ],
].map(([name, file, find, replace]) => ({ name, file, find, replace }));

/** The text with the fault in it; throws when it cannot be put there in exactly one way. */
export function withFault(text, { name, find, replace }) {
  const places = text.split(find).length - 1;
  if (places !== 1) {
    throw new Error(`"${name}": its text is there ${places} times, not once`);
  }
  return text.replace(find, () => replace);
}
