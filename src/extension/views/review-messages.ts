// What the user did in the panel's list of changed files, and around the checks.
import type { FromView } from '../../protocol/webview';
import { isDeliverable } from '../../run/selectors/deliverables';
import { commandTable } from '../commands/table';
import { openFileDiff } from '../review/diff-editors';
import type { ProposalTarget } from '../review/proposal-uri';
import type { Decision } from '../review/review-targets';
import { targetsOf } from '../review/review-targets';
import type { Services } from '../services';

type DecisionMessage = Extract<FromView, { readonly type: `${Decision}-file` | `${Decision}-all` }>;

type LookMessage = Extract<
  FromView,
  {
    readonly type: 'open-diff' | 'open-conflict' | 'open-alternatives' | 'open-why';
  }
>;

type CheckMessage = Extract<
  FromView,
  { readonly type: 'check-mix' | 'try-answer' | 'open-check-output' | 'choose-check' }
>;

export type ReviewMessage = DecisionMessage | LookMessage | CheckMessage;

const types: ReadonlySet<FromView['type']> = new Set<ReviewMessage['type']>([
  'open-diff',
  'open-conflict',
  'open-alternatives',
  'open-why',
  'check-mix',
  'try-answer',
  'open-check-output',
  'choose-check',
  'accept-file',
  'reject-file',
  'undo-file',
  'accept-all',
  'reject-all',
  'undo-all',
]);

export function isReviewMessage(message: FromView): message is ReviewMessage {
  return types.has(message.type);
}

export async function onReviewMessage(services: Services, message: ReviewMessage): Promise<void> {
  switch (message.type) {
    case 'open-diff':
    case 'open-conflict':
    case 'open-alternatives':
    case 'open-why':
      return look(services, message);
    case 'check-mix':
    case 'try-answer':
    case 'open-check-output':
    case 'choose-check':
      return check(services, message);
    case 'accept-file':
    case 'reject-file':
    case 'undo-file':
    case 'accept-all':
    case 'reject-all':
    case 'undo-all':
      return decide(services, message);
  }
}

async function look(services: Services, message: LookMessage): Promise<void> {
  const target = targetNamed(services, message);
  const run = services.runs.get(message.runId);
  if (target === undefined || run === undefined) {
    return;
  }
  switch (message.type) {
    case 'open-diff': {
      const line = target.hunk === undefined ? undefined : await services.editors.lineOf(target);
      return openFileDiff(run, target, line === undefined ? {} : { line });
    }
    case 'open-conflict':
      return commandTable['massgen.openConflict'](services, [target]);
    case 'open-alternatives':
      return commandTable['massgen.fromAnotherAgent'](services, [target]);
    case 'open-why':
      return commandTable['massgen.why'](services, [target]);
  }
}

async function check(services: Services, message: CheckMessage): Promise<void> {
  switch (message.type) {
    case 'check-mix':
      return commandTable['massgen.checkProposal'](services, [message.runId]);
    case 'try-answer':
      return commandTable['massgen.tryAnswer'](services, [message.runId, message.label]);
    case 'open-check-output': {
      const { runId, label, name } = message;
      return services.texts.show(runId, { kind: 'check', label, name });
    }
    case 'choose-check':
      await services.checks.choose(message.name, message.isOn);
      services.host.touch();
  }
}

async function decide(services: Services, message: DecisionMessage): Promise<void> {
  const { desk, runs, signal } = services;
  const known = message.type === 'accept-file' ? runs.get(message.runId) : undefined;
  if (message.type === 'accept-file' && known && isDeliverable(known.state(), message.root)) {
    // A file of the agent's own folder has no place yet: accepting it means choosing one.
    return commandTable['massgen.saveDeliverable'](services, [targetNamed(services, message)]);
  }
  const decisions: Readonly<Record<DecisionMessage['type'], Decision>> = {
    'accept-file': 'accept',
    'accept-all': 'accept',
    'reject-file': 'reject',
    'reject-all': 'reject',
    'undo-file': 'undo',
    'undo-all': 'undo',
  };
  const targets = 'path' in message ? [message] : undefined;
  await desk.decide(message.runId, decisions[message.type], targets, signal);
}

interface NamedFile {
  readonly runId: string;
  readonly root: string;
  readonly path: string;
  readonly hunk?: string;
}

/** A part that is not in the proposal any more is not taken for the whole file. */
function targetNamed({ runs }: Services, file: NamedFile): ProposalTarget | undefined {
  const known = runs.get(file.runId);
  const found = (known === undefined ? [] : targetsOf(known)).find(
    ({ root, path }) => root === file.root && path === file.path,
  );
  if (found === undefined) {
    return undefined;
  }
  const { runId, label, root, path } = found;
  const plain = { runId, label, root, path };
  if (file.hunk === undefined) {
    return plain;
  }
  const isKnown = found.file.hunks?.some(({ id }) => id === file.hunk) === true;
  return isKnown ? { ...plain, hunk: file.hunk } : undefined;
}
