// Tools that run at the service: what is told of them.
import { clip } from '../../base/text';
import type { BackendPart } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { OpenBlock } from './block-assembly';
import { toInput } from './messages';

type HostedPart = Extract<BackendPart, { type: 'hosted-tool' }>;

const longestSubject = 200;
const longestPreview = 2_000;

/** Uses of tools in one answer, from their beginning to their result. */
export class HostedTools {
  readonly #open = new Map<string, { readonly tool: string; readonly subject: string }>();

  started(block: OpenBlock): HostedPart {
    const id = asText(block.start['id']);
    const tool = asText(block.start['name']);
    const subject = subjectOf(toInput(block.argumentsJson));
    this.#open.set(id, { tool, subject });
    return { type: 'hosted-tool', id, tool, subject, status: 'started' };
  }

  ended(block: OpenBlock): HostedPart {
    const id = asText(block.start['tool_use_id']);
    const known = this.#open.get(id);
    this.#open.delete(id);
    const tool = known?.tool ?? block.type.replace(/_tool_result$/, '');
    const status = isError(block.start['content']) ? 'failed' : 'done';
    const preview = clip(previewOf(block.start['content']), longestPreview);
    return {
      ...{ type: 'hosted-tool', id, tool, subject: known?.subject ?? '', status },
      ...(preview === '' ? {} : { preview }),
    };
  }

  /** What has begun and came to no result. */
  left(): readonly HostedPart[] {
    return [...this.#open].map(([id, { tool, subject }]) => ({
      ...{ type: 'hosted-tool', id, tool, subject },
      status: 'failed',
    }));
  }
}

function subjectOf(input: Readonly<Record<string, unknown>>): string {
  const names = ['query', 'url', 'command', 'code', 'path'];
  const text = names.map((name) => asText(input[name])).find((one) => one.trim() !== '') ?? '';
  return clip(text.trim().split('\n')[0] ?? '', longestSubject);
}

function isError(content: unknown): boolean {
  return asText(asObject(content)?.['type']).endsWith('_error');
}

function previewOf(content: unknown): string {
  const results = asArray(content)
    .map(asObject)
    .filter((one) => one !== undefined);
  if (results.length > 0) {
    return results.map((one) => `${asText(one['title'])} ${asText(one['url'])}`.trim()).join('\n');
  }
  const result = asObject(content);
  const texts = ['error_code', 'stdout', 'stderr', 'content', 'url'].map((name) =>
    asText(result?.[name]),
  );
  return texts
    .filter((text) => text.trim() !== '')
    .join('\n')
    .trim();
}
