// The panel's messages are checked here; what does not fit is dropped. The host never trusts the view.
import type { FromView, HostAction } from '../../protocol/webview';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length <= 1_000_000;
const isShortText: Check = (value) => typeof value === 'string' && value.length <= 10_000;
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isSlot: Check = (value) => Number.isInteger(value) && Number(value) > 0;
const isSlots: Check = (value) => Array.isArray(value) && value.every(isSlot);
const isLabel: Check = (value) => typeof value === 'string' && /^agent\d+\.\d+$/.test(value);
const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const actions = {
  'use-editor-models': true,
  'add-key': true,
  'set-key': true,
  'open-sample': true,
  'open-folder': true,
  'open-locally': true,
  'manage-trust': true,
  'open-team-file': true,
  'trust-team-file': true,
  'show-logs': true,
  'change-caps': true,
  'change-team-setting': true,
  'change-privacy-setting': true,
  'new-run': true,
  'open-history': true,
  'reload-view': true,
} as const satisfies Record<HostAction, true>;

const forRun = { runId: isShortText };
const forFile = {
  ...forRun,
  root: isShortText,
  path: isShortText,
  hunk: (value: unknown) => value === undefined || isShortText(value),
};

/** Fields of each message besides `type`; a message that is missing here does not compile. */
const shapes: Readonly<Record<FromView['type'], Readonly<Record<string, Check>>>> = {
  ready: { protocolVersion: isNumber },
  pong: { nonce: isNumber },
  resync: forRun,
  'start-run': { task: isText },
  'stop-run': forRun,
  'follow-up': { ...forRun, task: isText },
  'answer-now': { ...forRun, slot: isSlot },
  steer: { ...forRun, text: isText, slots: orNull(isSlots) },
  override: { ...forRun, label: isLabel },
  'revive-agent': { ...forRun, slot: isSlot },
  'replay-run': forRun,
  'close-replay': forRun,
  'resume-run': forRun,
  'open-instructions': forFile,
  'open-artifacts': forRun,
  'show-run': { runId: orNull(isShortText) },
  'select-team': { teamId: isShortText },
  'set-permission': { folder: isShortText, permission: isOneOf('read', 'write') },
  'resolve-approval': {
    ...forRun,
    approvalId: isShortText,
    hash: isShortText,
    decision: isOneOf('deny', 'allow-once', 'allow-run', 'allow-workspace'),
  },
  'open-diff': forFile,
  'open-conflict': forFile,
  'accept-file': forFile,
  'reject-file': forFile,
  'undo-file': forFile,
  'open-alternatives': forFile,
  'open-why': forFile,
  'check-mix': forRun,
  'try-answer': { ...forRun, label: isLabel },
  'open-check-output': { ...forRun, label: orNull(isLabel), name: isShortText },
  'choose-check': { name: isShortText, isOn: (value) => typeof value === 'boolean' },
  'accept-all': forRun,
  'reject-all': forRun,
  'undo-all': forRun,
  'open-review': forRun,
  'answer-to-clipboard': forRun,
  'answer-at-cursor': forRun,
  'answer-to-new-file': forRun,
  'open-agent-text': { ...forRun, slot: isSlot },
  'open-answer': { ...forRun, label: isLabel },
  'show-as-text': forRun,
  'open-link': { href: isShortText },
  action: { action: isOneOf(...Object.keys(actions)) },
};

export function isFromView(message: unknown): message is FromView {
  if (typeof message !== 'object' || message === null) {
    return false;
  }
  const fields = new Map<string, unknown>(Object.entries(message));
  const type = fields.get('type');
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) {
    return false;
  }
  const shape = new Map<string, Readonly<Record<string, Check>>>(Object.entries(shapes)).get(type);
  return Object.entries(shape ?? {}).every(([name, check]) => check(fields.get(name)));
}
