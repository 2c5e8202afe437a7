import * as vscode from 'vscode';
import type { Tool } from '../../core/ports/tool';
import { findReferences, findSymbol } from './find-symbols';
import { getProblems } from './get-problems';
import { switchedOnTools } from './lm-tools';

/** What only the editor can offer to agents, as it is when a run starts. */
export function editorTools(): readonly Tool[] {
  return [getProblems, findSymbol, findReferences, ...switchedOnTools(namesInSetting())];
}

function namesInSetting(): readonly string[] {
  const value = vscode.workspace.getConfiguration('massgen.tools').get<unknown>('editor');
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
