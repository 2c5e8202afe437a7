// Blocks of messages: which members they have, and what must be in them.
import { type Json, type Refusal, invalid, isObject, listOf, unknownMember } from './refusal';

const members: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'citations', 'cache_control'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'title', 'context', 'citations', 'cache_control'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller', 'toolset_name'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  server_tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  web_search_tool_result: ['type', 'tool_use_id', 'content', 'cache_control', 'caller'],
  code_execution_tool_result: ['type', 'tool_use_id', 'content', 'cache_control'],
  bash_code_execution_tool_result: ['type', 'tool_use_id', 'content', 'cache_control'],
};
const ofUser = ['text', 'image', 'document', 'tool_result'];
const inResult = ['text', 'image', 'document'];
const notOfAssistant = ['image', 'document', 'tool_result'];

/** First bytes of each kind of picture, in base64. */
const pictures: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
};
const mostImageBytes = 5 * 1024 * 1024;

export function checkContent(role: string, content: unknown, path: string): Refusal | undefined {
  if (typeof content === 'string') {
    return content.trim() === ''
      ? invalid(`${path}: text content blocks must be non-empty`)
      : undefined;
  }
  if (!Array.isArray(content) || content.length === 0) {
    return invalid(`${path}: Input should be a valid list of at least 1 block`);
  }
  for (const [i, block] of content.entries()) {
    const refusal = checkBlock(role, block, `${path}.${i}`);
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return undefined;
}

function checkBlock(role: string, block: unknown, path: string): Refusal | undefined {
  const type = isObject(block) ? String(block['type']) : '';
  const names = members[type];
  const isAllowed =
    role === 'user'
      ? ofUser.includes(type)
      : role === 'result'
        ? inResult.includes(type)
        : !notOfAssistant.includes(type);
  if (!isObject(block) || names === undefined || !isAllowed) {
    return invalid(`${path}: Input tag '${type}' found using 'type' does not match`);
  }
  return unknownMember(block, names, `${path}.${type}`) ?? checkKind(type, block, path);
}

function checkKind(type: string, block: Json, path: string): Refusal | undefined {
  switch (type) {
    case 'text':
      return checkText(block, path);
    case 'image':
    case 'document':
      return checkSource(type, block['source'], path);
    case 'tool_use':
    case 'server_tool_use':
      return checkCall(block, path);
    case 'tool_result':
      return checkResult(block, path);
    case 'thinking':
      return typeof block['thinking'] === 'string' && typeof block['signature'] === 'string'
        ? undefined
        : invalid(`${path}.thinking.signature: Field required`);
    default:
      return undefined;
  }
}

function checkText({ text, citations }: Json, path: string): Refusal | undefined {
  if (typeof text !== 'string' || text === '') {
    return invalid(`${path}.text: text content blocks must be non-empty`);
  }
  if (text.trim() === '') {
    return invalid(`${path}.text: text content blocks must contain non-whitespace text`);
  }
  const bad = listOf(citations).find(
    (one) => !isObject(one) || typeof one['type'] !== 'string' || !('cited_text' in one),
  );
  return bad === undefined ? undefined : invalid(`${path}.text.citations.0: Input is not valid`);
}

function checkSource(type: string, source: unknown, path: string): Refusal | undefined {
  if (!isObject(source) || source['type'] !== 'base64' || typeof source['data'] !== 'string') {
    return invalid(`${path}.${type}.source: Field required`);
  }
  const mediaType = String(source['media_type']);
  const data = source['data'];
  if (type === 'document') {
    return mediaType === 'application/pdf' && data.startsWith('JVBER')
      ? undefined
      : invalid(`${path}.document.source.base64: The PDF specified was not valid.`);
  }
  const head = pictures[mediaType];
  if (head === undefined || !data.startsWith(head)) {
    return invalid(`${path}.image.source.base64: The image was not of type ${mediaType}`);
  }
  return (data.length * 3) / 4 > mostImageBytes
    ? invalid(`${path}.image.source.base64: image exceeds 5 MB maximum`)
    : undefined;
}

function checkCall({ type, id, name, input }: Json, path: string): Refusal | undefined {
  if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id)) {
    return invalid(`${path}.${String(type)}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    return invalid(
      `${path}.${String(type)}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
    );
  }
  return isObject(input)
    ? undefined
    : invalid(`${path}.${String(type)}.input: Input should be a valid dictionary`);
}

function checkResult(block: Json, path: string): Refusal | undefined {
  const { content } = block;
  if (block['is_error'] === true && (content === undefined || content === '')) {
    return invalid(`${path}.tool_result: content cannot be empty if \`is_error\` is true`);
  }
  return content === undefined ? undefined : checkContent('result', content, `${path}.content`);
}
