import { describe, expect, it } from 'vitest';
import { localServerLines } from '../../../src/cli/local-servers';

const server = { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' };

describe('a local server that was found', () => {
  it('is named with its address and its models, and where to see how a team uses it', () => {
    expect(localServerLines([{ ...server, models: ['qwen3', 'llama4\u001b[2J'] }])).toEqual([
      'Ollama answers at http://127.0.0.1:11434/v1 with qwen3, llama4⟨U+001B⟩[2J.',
      'configs/local-models.yaml shows how a team names it.',
    ]);
  });

  it('without a model is not offered as a way on', () => {
    expect(localServerLines([{ ...server, models: [] }])).toEqual([
      'Ollama answers at http://127.0.0.1:11434/v1; it has no model yet.',
    ]);
  });

  it('is not made up', () => {
    expect(localServerLines([])).toEqual([]);
  });
});
