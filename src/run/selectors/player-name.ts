import type { AgentInfo } from '../facts';

/** What plays an agent, for people: a model, or a program with the model that it was told to use, if any. */
export function playerName({
  title,
  model,
  backend,
}: Pick<AgentInfo, 'title' | 'model' | 'backend'>): string {
  const parts = [title ?? '', model].filter((part) => part !== '');
  return parts.length === 0 ? backend : parts.join(', ');
}
