import type { OpenAddresses } from '../core/ports/open-web';
import type { Tool } from '../core/ports/tool';
import { commandOutput, stopCommand } from './command-output';
import { deleteFile } from './delete-file';
import { editFile } from './edit-file';
import { listDirectory } from './list-directory';
import { readFile } from './read-file';
import { readImage } from './read-image';
import { runCommand } from './run-command';
import { Ripgrep } from './ripgrep';
import { searchText } from './search-text';
import { fetchUrl } from './web/fetch-url';
import { writeFile } from './write-file';

/** What tools need that does not come with an agent. */
export interface ToolParts {
  readonly addressesOf: OpenAddresses;
  /** Paths of ripgrep to try before the one on PATH; absent: none. */
  readonly ripgrep?: readonly string[];
}

/** The tools every agent has beside the ones for answering and voting. A new tool is one file and one line here. */
export function ordinaryTools({ addressesOf, ripgrep = [] }: ToolParts): readonly Tool[] {
  return [
    ...[
      readFile,
      readImage,
      listDirectory,
      searchText(new Ripgrep([...ripgrep, 'rg'])),
      writeFile,
      editFile,
      deleteFile,
    ],
    ...[runCommand, commandOutput, stopCommand, fetchUrl(addressesOf)],
  ];
}
