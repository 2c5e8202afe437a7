// The shipped team files, for shells.
export { exampleFile, exampleNames } from '../config/example-files';
export { exampleName, isExampleName, resolveExample } from '../config/example-names';
