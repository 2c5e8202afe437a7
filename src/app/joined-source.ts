import type { Tool, ToolSource } from '../core/ports/tool';

/** One source of several, in this order; the first of two tools with one name counts. `undefined`: there are none. */
export function joinSources(sources: readonly (ToolSource | undefined)[]): ToolSource | undefined {
  const all = sources.filter((source) => source !== undefined);
  const [only] = all;
  if (all.length < 2) {
    return only;
  }
  return {
    async tools(context, signal): Promise<readonly Tool[]> {
      const found = await Promise.all(all.map((source) => source.tools(context, signal)));
      const byName = new Map<string, Tool>();
      for (const tool of found.flat()) {
        if (!byName.has(tool.name)) {
          byName.set(tool.name, tool);
        }
      }
      return [...byName.values()];
    },
    async close(): Promise<void> {
      await Promise.allSettled(all.map((source) => source.close()));
    },
  };
}

/** Tools that are always there. */
export function fixedSource(tools: readonly Tool[]): ToolSource | undefined {
  return tools.length === 0
    ? undefined
    : { tools: async () => tools, close: async () => undefined };
}
