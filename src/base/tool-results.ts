/** Folder in an agent's private folder for results of tools that are too long for a model; no part of its answers. */
export const toolResultsFolder = '.tool_results';
