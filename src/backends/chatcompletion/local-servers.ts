// Finds model servers on their usual ports of this machine. Asks the loopback address only.
import { get } from 'node:http';
import { asArray, asObject, asText } from '../wire/json-reading';

export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

export interface LocalServerCandidate {
  readonly name: string;
  readonly port: number;
}

const usual: readonly LocalServerCandidate[] = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
];

const silenceMs = 700;
const maxAnswerBytes = 1_000_000;

/** Servers that answer on their usual port with their models; never rejects. */
export async function detectLocalServers(signal: AbortSignal): Promise<readonly LocalServer[]> {
  return probeServers(usual, signal);
}

/** Like `detectLocalServers`, for the given ports. */
export async function probeServers(
  candidates: readonly LocalServerCandidate[],
  signal: AbortSignal,
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(candidates.map((candidate) => probe(candidate, signal)));
  return found.filter((server) => server !== undefined);
}

async function probe(
  candidate: LocalServerCandidate,
  signal: AbortSignal,
): Promise<LocalServer | undefined> {
  const baseUrl = `http://127.0.0.1:${candidate.port}/v1`;
  const text = await fetchText(`${baseUrl}/models`, signal);
  const data = text === undefined ? undefined : asObject(parsed(text))?.['data'];
  if (!Array.isArray(data)) {
    return undefined;
  }
  const models = asArray(data).map((entry) => asText(asObject(entry)?.['id']));
  return { name: candidate.name, baseUrl, models: models.filter((id) => id !== '') };
}

/** The body of a 200, `undefined` for anything else. The plain client never goes through a proxy. */
async function fetchText(url: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = (): void => resolve(undefined);
    const request = get(url, { agent: false, signal, timeout: silenceMs }, (response) => {
      if (response.statusCode !== 200) {
        response.destroy();
        fail();
        return;
      }
      const pieces: Buffer[] = [];
      let size = 0;
      response.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > maxAnswerBytes) {
          response.destroy();
        } else {
          pieces.push(piece);
        }
      });
      response.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
      response.on('error', fail);
      response.on('close', fail);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', fail);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
