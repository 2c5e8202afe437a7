// Tools that run at the service: their parts in an answer, and the sources that it names.
import { clip } from '../../base/text';
import type { BackendPart } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { WirePart } from './wire-body';

type Hosted = Extract<BackendPart, { type: 'hosted-tool' }>;

const longestSubject = 200;
const longestPreview = 2_000;

const toolNames: Readonly<Record<string, string>> = {
  GOOGLE_SEARCH_WEB: 'web-search',
  GOOGLE_SEARCH_IMAGE: 'image-search',
  URL_CONTEXT: 'url-context',
  GOOGLE_MAPS: 'maps',
  FILE_SEARCH: 'file-search',
};

/** Follows the tools of one answer, so that a result is told of the call that it belongs to. */
export class HostedTools {
  #count = 0;
  /** Calls without a result, oldest first. */
  readonly #open: Hosted[] = [];
  readonly #prefix: string;

  /** `prefix` makes the ids of this answer unlike those of others. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Whether any tool was told of by parts of its own. */
  get hasAny(): boolean {
    return this.#count > 0;
  }

  /** `undefined` for a part that is not of such a tool. */
  read(part: WirePart): Hosted | undefined {
    const code = asObject(part['executableCode']);
    if (code !== undefined) {
      const subject = asText(code['code']).trim().split('\n')[0] ?? '';
      return this.#begin(code, 'code-execution', subject);
    }
    const outcome = asObject(part['codeExecutionResult']);
    if (outcome !== undefined) {
      const isGood = asText(outcome['outcome']) === 'OUTCOME_OK';
      return this.#end(outcome, 'code-execution', isGood, asText(outcome['output']));
    }
    const call = asObject(part['toolCall']);
    if (call !== undefined) {
      return this.#begin(call, toolOf(call), subjectOf(asObject(call['args'])));
    }
    const response = asObject(part['toolResponse']);
    if (response !== undefined) {
      const content = asObject(response['response']) ?? {};
      const isGood = content['error'] === undefined;
      return this.#end(response, toolOf(response), isGood, JSON.stringify(content));
    }
    return undefined;
  }

  #begin(members: WirePart, tool: string, subject: string): Hosted {
    const started: Hosted = {
      type: 'hosted-tool',
      id: this.#nextId(members),
      tool,
      subject: clip(subject, longestSubject),
      status: 'started',
    };
    this.#open.push(started);
    return started;
  }

  #end(members: WirePart, tool: string, isGood: boolean, text: string): Hosted {
    const id = asText(members['id']);
    const named = this.#open.findIndex((one) => id !== '' && one.id === `${this.#prefix}${id}`);
    const at = named >= 0 ? named : this.#open.findIndex((one) => one.tool === tool);
    const [started] = at < 0 ? [] : this.#open.splice(at, 1);
    return {
      type: 'hosted-tool',
      id: started?.id ?? this.#nextId(members),
      tool,
      subject: started?.subject ?? '',
      status: isGood ? 'done' : 'failed',
      ...(text === '' || text === '{}' ? {} : { preview: clip(text, longestPreview) }),
    };
  }

  #nextId(members: WirePart): string {
    this.#count++;
    return `${this.#prefix}${asText(members['id']) || `n${this.#count}`}`;
  }
}

function toolOf(members: WirePart): string {
  const type = asText(members['toolType']);
  return toolNames[type] ?? (type === '' ? 'tool' : type.toLowerCase().replaceAll('_', '-'));
}

function subjectOf(args: WirePart | undefined): string {
  if (args === undefined) {
    return '';
  }
  const named = args['query'] ?? args['queries'] ?? args['url'] ?? args['urls'];
  const texts = typeof named === 'string' ? [named] : asArray(named).map((one) => asText(one));
  return texts.filter((one) => one !== '').join('; ') || JSON.stringify(args);
}

/** Searches that an answer rests on, for models that tell of them in no other way. */
export function searchesOf(grounding: WirePart, prefix: string): Hosted[] {
  return asArray(grounding['webSearchQueries'])
    .map((query) => asText(query))
    .filter((query) => query !== '')
    .map((query, i) => ({
      type: 'hosted-tool',
      id: `${prefix}s${i + 1}`,
      tool: 'web-search',
      subject: clip(query, longestSubject),
      status: 'done',
    }));
}

/** Pages that an answer rests on or quotes. */
export function citationsOf(candidate: WirePart): BackendPart[] {
  const grounding = asArray(asObject(candidate['groundingMetadata'])?.['groundingChunks']).map(
    (chunk) => asObject(asObject(chunk)?.['web']),
  );
  const metadata = asObject(candidate['citationMetadata']);
  const quoted = asArray(metadata?.['citationSources'] ?? metadata?.['citations']).map((one) =>
    asObject(one),
  );
  return [...grounding, ...quoted].flatMap((source): BackendPart[] => {
    const url = asText(source?.['uri']);
    return /^https?:\/\//i.test(url)
      ? [{ type: 'citation', citation: { url, title: asText(source?.['title']) } }]
      : [];
  });
}
