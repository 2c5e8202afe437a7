// Refuses what the real service refuses, in its words. Strict on purpose: a fake that accepts everything proves nothing.
import { outputSchemaProblem } from '../output-schema-check';
import { checkMessages, checkOpenRound, checkOrder, checkThoughts } from './check-messages';
import { checkChoice, checkMarks, checkTools } from './check-tools';
import type { ModelRules } from './model-rules';
import { type Json, type Refusal, firstRefusal, invalid, isObject, unknownMember } from './refusal';
import { conversationOf } from './signatures';

const parameters = [
  ...['model', 'messages', 'max_tokens', 'system', 'tools', 'tool_choice', 'thinking', 'stream'],
  ...['output_config', 'stop_sequences', 'metadata', 'service_tier', 'speed', 'cache_control'],
  ...['container', 'inference_geo', 'diagnostics', 'temperature', 'top_p', 'top_k'],
];
const samplingNames = ['temperature', 'top_p', 'top_k'];
const newerVersion = '2026-10-21';
const bindingBeta = 'thinking-binding-controls-2026-08-01';

export interface RequestHeads {
  readonly version: string;
  readonly betas: readonly string[];
}

/** What is wrong with a request; `undefined` when the real service would take it. */
export function checkRequest(
  body: Json,
  rules: ModelRules,
  heads: RequestHeads,
): Refusal | undefined {
  const isThinking = thinks(body['thinking'], rules);
  return firstRefusal([
    () => unknownMember(body, parameters, ''),
    () => checkLength(body, rules),
    () => checkMessages(body['messages']),
    () => checkSystem(body['system']),
    () => checkTools(body['tools']),
    () => checkChoice(body['tool_choice'], body['tools'] !== undefined, rules, isThinking),
    () => checkThinking(body, rules, heads),
    () => checkOutput(body['output_config'], rules),
    () => checkSampling(body, rules, heads, isThinking),
    () => checkMarks(body),
    () => checkConversation(body, rules, heads),
  ]);
}

/** Whether the model thinks over this request. */
export function thinks(thinking: unknown, rules: ModelRules): boolean {
  const type = isObject(thinking) ? thinking['type'] : undefined;
  return type === undefined ? rules.isThinking : type !== 'disabled';
}

function checkConversation(
  body: Json,
  rules: ModelRules,
  heads: RequestHeads,
): Refusal | undefined {
  const conversation = conversationOf(body);
  const thinking = isObject(body['thinking']) ? body['thinking'] : {};
  const mayDrop = 'block_binding' in thinking && heads.betas.includes(bindingBeta);
  return firstRefusal([
    () => checkOrder(conversation, rules),
    () => checkThoughts(conversation, rules, mayDrop),
    () => (thinking['type'] === 'enabled' ? checkOpenRound(conversation.turns) : undefined),
  ]);
}

function checkLength(body: Json, rules: ModelRules): Refusal | undefined {
  const tokens = body['max_tokens'];
  if (tokens === undefined) {
    return invalid('max_tokens: Field required');
  }
  if (!Number.isInteger(tokens) || Number(tokens) < 0) {
    return invalid('max_tokens: Input should be a valid integer');
  }
  return Number(tokens) > rules.maxTokens
    ? invalid(
        `max_tokens: ${Number(tokens)} > ${rules.maxTokens}, which is the maximum allowed number of output tokens for ${String(body['model'])}`,
      )
    : undefined;
}

function checkSystem(system: unknown): Refusal | undefined {
  const blocks: readonly unknown[] = Array.isArray(system) ? system : [];
  for (const [i, block] of blocks.entries()) {
    const text = isObject(block) ? block['text'] : undefined;
    if (!isObject(block) || block['type'] !== 'text' || typeof text !== 'string') {
      return invalid(`system.${i}: Input is not valid`);
    }
    if (text.trim() === '') {
      return invalid(`system.${i}: text content blocks must be non-empty`);
    }
    const refusal = unknownMember(block, ['type', 'text', 'cache_control'], `system.${i}`);
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return undefined;
}

function checkThinking(body: Json, rules: ModelRules, heads: RequestHeads): Refusal | undefined {
  const { thinking } = body;
  if (thinking === undefined) {
    return undefined;
  }
  if (!isObject(thinking)) {
    return invalid('thinking: Input should be a valid dictionary');
  }
  const type = String(thinking['type']);
  const taken: Readonly<Record<string, boolean>> = {
    enabled: rules.takesEnabled,
    adaptive: rules.takesAdaptive,
    disabled: rules.takesDisabled,
  };
  if (taken[type] !== true) {
    return invalid(
      type === 'enabled'
        ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        : `"thinking.type.${type}" is not supported for this model.`,
    );
  }
  const binding = heads.betas.includes(bindingBeta) ? ['block_binding'] : [];
  const names =
    type === 'enabled'
      ? ['type', 'budget_tokens', 'display', ...binding]
      : type === 'adaptive'
        ? ['type', 'display', ...binding]
        : ['type'];
  return unknownMember(thinking, names, 'thinking') ?? checkBudget(thinking, body['max_tokens']);
}

function checkBudget(thinking: Json, maxTokens: unknown): Refusal | undefined {
  if (thinking['type'] !== 'enabled') {
    return undefined;
  }
  const budget = thinking['budget_tokens'];
  if (typeof budget !== 'number' || budget < 1024) {
    return invalid('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  }
  return budget < Number(maxTokens)
    ? undefined
    : invalid('`max_tokens` must be greater than `thinking.budget_tokens`.');
}

function checkOutput(config: unknown, rules: ModelRules): Refusal | undefined {
  if (config === undefined) {
    return undefined;
  }
  if (!isObject(config)) {
    return invalid('output_config: Input should be a valid dictionary');
  }
  return firstRefusal([
    () => unknownMember(config, ['effort', 'format'], 'output_config'),
    () => ('effort' in config ? checkEffort(config['effort'], rules) : undefined),
    () => ('format' in config ? checkFormat(config['format'], rules) : undefined),
  ]);
}

function checkEffort(effort: unknown, { takesEffort }: ModelRules): Refusal | undefined {
  if (!takesEffort) {
    return invalid('This model does not support the effort parameter.');
  }
  return ['low', 'medium', 'high', 'xhigh', 'max'].includes(String(effort))
    ? undefined
    : invalid('output_config.effort: Input is not valid');
}

/** Words of JSON Schema that have no place in the form of an answer. */
const refusedWords = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'maxItems', 'oneOf', 'not', 'patternProperties', '$schema'],
];

function checkFormat(format: unknown, { takesFormat }: ModelRules): Refusal | undefined {
  const path = 'output_config.format';
  if (!takesFormat) {
    return invalid('This model does not support structured outputs.');
  }
  if (!isObject(format) || format['type'] !== 'json_schema') {
    return invalid(`${path}.type: Input should be 'json_schema'`);
  }
  const problem = outputSchemaProblem(format['schema'], { refused: refusedWords, wantsAll: false });
  return (
    unknownMember(format, ['type', 'schema'], path) ??
    (problem === undefined ? undefined : invalid(`${path}.schema: ${problem}`))
  );
}

function checkSampling(
  body: Json,
  rules: ModelRules,
  { version }: RequestHeads,
  isThinking: boolean,
): Refusal | undefined {
  const given = samplingNames.filter((name) => body[name] !== undefined);
  const [first] = given;
  if (first === undefined) {
    return undefined;
  }
  if (version >= newerVersion) {
    return invalid(`${first}: Extra inputs are not permitted`);
  }
  if (!rules.takesSampling) {
    return invalid(`\`${first}\` is deprecated for this model.`);
  }
  if (isThinking && (body['temperature'] ?? 1) !== 1) {
    return invalid('`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (isThinking && body['top_k'] !== undefined) {
    return invalid('`top_k` must be unset when thinking is enabled.');
  }
  return rules.isOneSampling && body['temperature'] !== undefined && body['top_p'] !== undefined
    ? invalid('`temperature` and `top_p` cannot both be specified for this model.')
    : undefined;
}
