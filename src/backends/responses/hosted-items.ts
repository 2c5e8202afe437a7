// Items of an answer that stand for tools which the service has run by itself.
import { clip } from '../../base/text';
import type { HostedTool } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { Item } from './service';

const longestSubject = 200;
const longestPreview = 2_000;

/** `undefined` for items that are no tool, or one that runs here. */
export function hostedToolOf(item: Item, isDone: boolean): HostedTool | undefined {
  const type = asText(item['type']);
  if (!type.endsWith('_call') || type === 'function_call') {
    return undefined;
  }
  // Searches of xAI come as custom calls under their own names.
  const tool =
    (type === 'custom_tool_call' && asText(item['name'])) || type.slice(0, -'_call'.length);
  const preview = previewOf(item);
  return {
    id: asText(item['id']) || tool,
    tool: tool === 'code_interpreter' ? 'code_execution' : tool,
    subject: clip(subjectOf(item).replace(/\s+/g, ' ').trim(), longestSubject),
    status: isDone ? statusOf(item) : 'started',
    ...(isDone && preview !== '' ? { preview: clip(preview, longestPreview) } : {}),
  };
}

function statusOf(item: Item): 'done' | 'failed' {
  const status = asText(item['status']);
  return status === 'failed' || status === 'incomplete' ? 'failed' : 'done';
}

/** What it is about: a query, an address, code. */
function subjectOf(item: Item): string {
  const action = asObject(item['action']);
  return (
    asText(action?.['query']) ||
    asText(action?.['url']) ||
    asText(action?.['pattern']) ||
    asArray(item['queries']).map(asText).join(', ') ||
    asText(item['code']) ||
    asText(item['input']) ||
    asText(item['arguments'])
  );
}

function previewOf(item: Item): string {
  const outputs = [...asArray(item['outputs']), ...asArray(item['results'])];
  const texts = outputs.map((one) => {
    const output = asObject(one);
    return asText(output?.['logs']) || asText(output?.['filename']);
  });
  return texts.filter((text) => text !== '').join('\n');
}
