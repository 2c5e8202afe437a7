import { expect, test } from 'vitest';
import { createMemory } from '../../../webview/memory';

function fakeApi(state: unknown): {
  saved: unknown;
  getState(): unknown;
  setState(next: unknown): void;
} {
  return {
    saved: undefined,
    getState: () => state,
    setState(next) {
      this.saved = next;
    },
  };
}

test.each([
  ['nothing', undefined],
  ['a list', [1, 2]],
  ['text', 'draft'],
  ['fields of other kinds', { draft: 7, sections: 'open', scrollTop: -1 }],
])('%s that was left behind is as good as nothing', (_name, left) => {
  expect(createMemory(fakeApi(left)).value).toEqual({ draft: '', sections: {}, scrollTop: 0 });
});

test('what is remembered is saved at once and comes back', () => {
  const api = fakeApi(undefined);
  createMemory(api).remember({ draft: 'half', sections: { cost: false } });
  expect(createMemory(fakeApi(api.saved)).value).toEqual({
    draft: 'half',
    sections: { cost: false },
    scrollTop: 0,
  });
});

test('of the sections only those that are true or false are kept', () => {
  const left = { sections: { cost: true, answer: 'yes', files: null } };
  expect(createMemory(fakeApi(left)).value.sections).toEqual({ cost: true });
});
