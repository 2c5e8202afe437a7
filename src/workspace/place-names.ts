/** The folder of an agent as texts for others name it. */
const neutralFolder = '<workspace>';
const localForm = /<workspace>(?=[\\/])/g;

/** A root that stands at a place of its own, which is not in the agent's folder. */
export interface PlacedRoot {
  readonly shownPath: string;
  /** What it is called in a folder that shows an agent's roots side by side. */
  readonly folderName: string;
}

/** Replaces absolute paths of one agent by a form that tells nobody whose they are. */
export function toNeutral(text: string, folder: string, placed: readonly PlacedRoot[]): string {
  let neutral = text;
  for (const { shownPath, folderName } of placed) {
    neutral = neutral.replace(wholePath(shownPath), () => `${neutralFolder}/${folderName}`);
  }
  const spellings = [folder, folder.replaceAll('\\', '/'), JSON.stringify(folder).slice(1, -1)];
  for (const spelling of new Set(spellings)) {
    neutral = neutral.replaceAll(spelling, neutralFolder);
  }
  return neutral;
}

/** The way back for the agent itself, whose placed roots are elsewhere, or into a folder where all lie side by side. */
export function toLocal(text: string, folder: string, placed: readonly PlacedRoot[]): string {
  let local = text;
  for (const { shownPath, folderName } of placed) {
    local = local.replace(wholePath(`${neutralFolder}/${folderName}`), () => shownPath);
  }
  // Only what goes on as a path: a model may write the same word for something else.
  return local.replace(localForm, () => folder);
}

/** The path and what lies below it, but not a name that only begins like its last part. */
function wholePath(path: string): RegExp {
  const plain = path.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`${plain}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'gu');
}
