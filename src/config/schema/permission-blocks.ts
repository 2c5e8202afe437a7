// `hooks`, `permissions` and `checkpoint` of MassGen: what may forbid a call. Nothing of it is run here, so that a file which
// counts on one of them is refused.
import { isSeq } from 'yaml';
import { either, list, mapping } from './collections';
import { boolean, integer, number, oneOf, text } from './scalars';
import { field, type FieldValues } from './spec';
import { demand } from './without-effect';

const hookFields = {
  handler: field(text(), 'Function or script that is asked.', { isRequired: true }),
  type: field(oneOf('python'), 'Kind of handler.'),
  matcher: field(text(), 'Tools that it is about, e.g. `*`.'),
  timeout: field(number({ above: 0 }), 'Longest run in seconds.'),
  fail_closed: field(boolean(), 'Whether a call is refused when the handler fails.'),
};
const hookItems = list(mapping(hookFields, 'warning'));
const hookKind = either(
  isSeq,
  hookItems,
  mapping(
    {
      hooks: field(hookItems, 'The hooks.'),
      override: field(boolean(), 'Whether they replace those of the team.'),
    },
    'warning',
  ),
);

type Hook = FieldValues<typeof hookFields>;
type HookKind = readonly Hook[] | { readonly hooks?: readonly Hook[] | undefined };

function hooksIn(kind: HookKind | undefined): readonly Hook[] {
  return kind === undefined ? [] : 'length' in kind ? kind : (kind.hooks ?? []);
}

const hooksBlock = mapping(
  {
    PreToolUse: field(hookKind, 'Asked before a call of a tool.'),
    PostToolUse: field(hookKind, 'Told after a call of a tool.'),
  },
  'warning',
);

/** At the top and in a backend block. */
export const hooks = demand('hooks', hooksBlock, {
  reason: 'hooks are not run here',
  refused: 'PreToolUse, and fail_closed',
  isIdle: ({ PreToolUse: before, PostToolUse: after }) =>
    hooksIn(before).length + hooksIn(after).length === 0,
  refusalOf({ PreToolUse: before, PostToolUse: after }) {
    const isGate =
      hooksIn(before).length > 0 || hooksIn(after).some((hook) => hook.fail_closed === true);
    return isGate
      ? 'These hooks may refuse calls of tools, and hooks are not run here. Take them out if the team may work without them.'
      : undefined;
  },
});

const rules = list(text());

const permissionsBlock = mapping(
  {
    enabled: field(boolean(), 'Whether the rules hold.'),
    allow: field(rules, 'What is allowed, e.g. `command(git status)`.'),
    ask: field(rules, 'What a person is asked about.'),
    deny: field(rules, 'What is refused.'),
    policy: field(oneOf('risk-based', 'deny-all', 'allow-all'), 'Who decides about the rest.'),
    approval: field(text(), 'How a person is asked.'),
    role: field(oneOf('read-only', 'researcher', 'read-write', 'implementer'), 'Set of rules.'),
    max_consecutive_auto: field(integer({ minimum: 0 }), 'Calls in a row without a question.'),
    persist_approvals: field(boolean(), 'Whether what was allowed stays so.'),
  },
  'warning',
);

const openRoles: readonly (string | undefined)[] = [undefined, 'read-write', 'implementer'];

export const permissions = demand('permissions', permissionsBlock, {
  reason: 'commands are confined or asked about here, whatever is allowed',
  refused:
    'ask, deny, max_consecutive_auto, a policy other than allow-all, and the roles read-only and researcher',
  isIdle: ({ enabled }) => enabled === false,
  refusalOf({ ask = [], deny = [], policy, role, max_consecutive_auto: most }) {
    const asked = [
      ...(ask.length > 0 ? ['ask'] : []),
      ...(deny.length > 0 ? ['deny'] : []),
      ...(policy === undefined || policy === 'allow-all' ? [] : [`policy: ${policy}`]),
      ...(openRoles.includes(role) ? [] : [`role: ${role ?? ''}`]),
      ...(most === undefined ? [] : ['max_consecutive_auto']),
    ];
    return asked.length === 0
      ? undefined
      : `permissions are not enforced here (${asked.join(', ')}). Use command_line_blocked_commands, permission: read of context_paths, or allowed_tools of a server, and take them out.`;
  },
});

const checkpointBlock = mapping(
  {
    enabled: field(boolean(), 'Whether the team plans before it acts.'),
    mode: field(oneOf('conversation', 'task'), 'How.'),
    guidance: field(text(), 'Text for the agents.'),
    gated_patterns: field(list(text()), 'Tools that must wait.'),
  },
  'warning',
);

export const checkpoint = demand('checkpoints', checkpointBlock, {
  reason: '',
  refused: 'gated_patterns',
  isIdle: ({ enabled }) => enabled === false,
  refusalOf: ({ gated_patterns: gated = [] }) => gateRefusal(gated),
});

/** The same list as a key of `coordination`. */
export const checkpointGates = demand('checkpoints', list(text()), {
  reason: '',
  refused: 'any pattern',
  isIdle: (gated) => gated.length === 0,
  refusalOf: gateRefusal,
});

function gateRefusal(gated: readonly string[]): string | undefined {
  return gated.length === 0
    ? undefined
    : 'Checkpoints are not here yet, so nothing would hold back what gated_patterns names. enable_planning_mode closes tools with an effect outside until an answer is chosen.';
}
