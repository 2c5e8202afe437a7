import type { Tool } from '../core/ports/tool';
import { commandOutput, stopCommand } from './command-output';
import { deleteFile } from './delete-file';
import { editFile } from './edit-file';
import { listDirectory } from './list-directory';
import { readFile } from './read-file';
import { runCommand } from './run-command';
import { searchText } from './search-text';
import { writeFile } from './write-file';

/** The tools every agent has beside the ones for answering and voting. A new tool is one file and one line here. */
export function ordinaryTools(): readonly Tool[] {
  return [
    ...[readFile, listDirectory, searchText, writeFile, editFile, deleteFile],
    ...[runCommand, commandOutput, stopCommand],
  ];
}
