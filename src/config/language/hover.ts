import { parseDocument, type Scalar } from 'yaml';
import { inWords, type Shape } from '../schema/shape';
import { documentationOf } from './complete';
import { refuseText } from '../yaml/refuse-text';
import { locate, type Place } from './locate';

export interface Hover {
  /** Markdown. */
  readonly lines: readonly string[];
  /** Offsets of what it is about. */
  readonly range: readonly [start: number, end: number];
}

/** What the key or value at an offset means; `undefined` where the schema knows nothing. Never throws. */
export function hover(text: string, offset: number, root: Shape): Hover | undefined {
  const place = placeAt(text, offset, root);
  const range = place?.node.range;
  if (place?.info === undefined || !range) {
    return undefined;
  }
  const { name, shape } = place.info;
  const unsupported = place.info.isUnsupported === true ? '' : `: ${inWords(shape)}`;
  const takesVariables = 'takesVariables' in shape;
  const variables = takesVariables ? ['`${NAME}` is filled in from the environment.'] : [];
  const lines = [`**${name}**${unsupported}`, documentationOf(place.info), ...variables];
  return { lines, range: [range[0], range[1]] };
}

function placeAt(text: string, offset: number, root: Shape): Place | undefined {
  const isHere = ({ range }: Scalar): boolean =>
    range !== null && range !== undefined && range[0] <= offset && offset <= range[1];
  if (refuseText(text) !== undefined) {
    return undefined;
  }
  try {
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
    return locate(document, root, isHere);
  } catch {
    return undefined;
  }
}
