/**
 * Source of the program that runs one function of a JavaScript module, for `node --input-type=module -e`. It reads one
 * JSON text from its input: `file`, `function`, `mark`, and `arguments`; without arguments it only tells what the
 * function is like. Its last line of output is the mark and a JSON text: `error`, or `text`, or a description.
 */
export const javascriptRunner = String.raw`
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

console.log = console.info = console.debug = console.error;

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const input = JSON.parse(Buffer.concat(chunks).toString('utf8'));

const types = {
  string: { type: 'string' }, number: { type: 'number' }, integer: { type: 'integer' },
  boolean: { type: 'boolean' }, bool: { type: 'boolean' }, object: { type: 'object' },
  array: { type: 'array' },
};

function schemaOf(written) {
  const text = written.trim().replace(/^[?!]|=$/g, '');
  const list = /^(?:Array<(.+)>|\(?(.+?)\)?\[\])$/i.exec(text);
  if (list) return { type: 'array', items: schemaOf(list[1] ?? list[2]) };
  const parts = text.replace(/^\(|\)$/g, '').split('|').map((part) => part.trim());
  const values = parts.map((part) => /^(['"])(.*)\1$/.exec(part)?.[2]);
  if (values.every((value) => value !== undefined)) return { type: 'string', enum: values };
  return types[text.toLowerCase()] ?? {};
}

function schemaOfDefault(text) {
  if (/^['"]/.test(text)) return { type: 'string' };
  if (/^-?[\d.]+$/.test(text)) return { type: 'number' };
  if (/^(true|false)$/.test(text)) return { type: 'boolean' };
  if (text.startsWith('[')) return { type: 'array' };
  return text.startsWith('{') ? { type: 'object' } : {};
}

/** Splits at commas that are in no brackets, quotes or comments. */
function split(text) {
  const parts = [];
  let depth = 0, quote = '', part = '';
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (quote) {
      if (sign === '\\') part += text[i++];
      else if (sign === quote) quote = '';
    } else if (/['"\x60]/.test(sign)) quote = sign;
    else if (/[([{]/.test(sign)) depth++;
    else if (/[)\]}]/.test(sign)) {
      if (depth === 0) break;
      depth--;
    } else if (sign === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
      continue;
    }
    part += text[i];
  }
  return [...parts, part.trim()].filter((each) => each !== '');
}

function parametersOf(fn) {
  const source = fn.toString().replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/[^\n]*/g, '$1');
  const bare = /^(?:async\s+)?([\w$]+)\s*=>/.exec(source);
  const parts = bare ? [bare[1]] : split(source.slice(source.indexOf('(') + 1));
  const first = parts[0] ?? '';
  if (first.startsWith('{')) {
    return { isObject: true, names: split(first.slice(1)).map((part) => nameOf(part, ':')) };
  }
  return { isObject: false, names: parts.map((part) => nameOf(part, undefined)) };
}

function nameOf(part, renamed) {
  if (part.startsWith('...')) return { name: part.slice(3).trim(), isRest: true, isOptional: true };
  const equal = part.indexOf('=');
  const left = (equal < 0 ? part : part.slice(0, equal)).trim();
  const name = renamed ? left.split(renamed)[0].trim() : left;
  return equal < 0 ? { name } : { name, isOptional: true, value: part.slice(equal + 1).trim() };
}

/** The comment right before the function. */
function commentOf(source, name) {
  const plain = name.replace(/\$/g, '\\$');
  const head = '(?:export\\s+)?(?:default\\s+)?';
  const place = new RegExp('(?<=^|[\\n;}]|\\*/)[ \\t]*' + head + '(?:(?:async\\s+)?function\\s*\\*?\\s*' + plain + '\\b|(?:const|let|var)\\s+' + plain + '\\s*=)').exec(source)
    ?? (name === 'default' ? /(?:^|\n)[ \t]*export\s+default\b/.exec(source) : null);
  if (!place) return '';
  const before = source.slice(0, place.index).trimEnd();
  const start = before.endsWith('*/') ? before.lastIndexOf('/**') : -1;
  return start < 0 ? '' : before.slice(start + 3, -2).replace(/^[ \t]*\*[ \t]?/gm, '').trim();
}

function describe(fn, source) {
  const comment = commentOf(source, input.function);
  const [words = '', ...tags] = comment.split(/(?:^|\s)@(?=[a-z]+\b)/);
  const documented = new Map();
  for (const tag of tags) {
    const found = /^param\s+(?:\{([^}]*)\}\s*)?(\[)?\s*([\w$.]+)[^\]\s-]*(?:=[^\]]*)?\]?\s*-?\s*([\s\S]*)$/.exec(tag);
    if (found) {
      const [, type = '', optional, path, text] = found;
      documented.set(path.split('.').at(-1), { type, isOptional: optional !== undefined || type.endsWith('='), text });
    }
  }
  const properties = {}, required = [];
  let isOpen = false;
  for (const { name, isOptional, isRest, value } of parametersOf(fn).names) {
    if (isRest) { isOpen = true; continue; }
    const known = documented.get(name);
    const schema = known?.type ? schemaOf(known.type) : schemaOfDefault(value ?? '');
    const description = (known?.text ?? '').replace(/\s+/g, ' ').trim();
    properties[name] = { ...schema, ...(description === '' ? {} : { description }) };
    if (!isOptional && !known?.isOptional) required.push(name);
  }
  return {
    description: words.replace(/\s+/g, ' ').trim(),
    inputSchema: { type: 'object', properties, required, additionalProperties: isOpen },
  };
}

function textOf(value) {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

async function call(fn) {
  const { isObject, names } = parametersOf(fn);
  const given = input.arguments;
  const last = names.findLastIndex(({ name }) => Object.hasOwn(given, name));
  return isObject ? fn(given) : fn(...names.slice(0, last + 1).map(({ name }) => given[name]));
}

async function answer() {
  const module = await import(pathToFileURL(input.file).href);
  const fn = module[input.function] ?? module.default?.[input.function];
  if (typeof fn !== 'function') {
    const names = Object.keys(module).filter((name) => typeof module[name] === 'function');
    throw new Error('There is no function ' + input.function + ' in it; it exports: ' + (names.join(', ') || 'none') + '.');
  }
  return input.arguments === undefined
    ? describe(fn, await readFile(input.file, 'utf8'))
    : { text: textOf(await call(fn)) };
}

let result;
try {
  result = await answer();
} catch (error) {
  console.error(error);
  result = { error: error instanceof Error ? error.name + ': ' + error.message : String(error) };
}
process.stdout.write('\n' + input.mark + JSON.stringify(result) + '\n', () => process.exit(0));
`;
