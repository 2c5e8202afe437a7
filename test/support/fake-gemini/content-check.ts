// Refuses conversations that the service refuses: roles, parts, and the order of calls and their results.
import {
  type Members,
  type Refusal,
  firstIn,
  firstOf,
  invalid,
  isMembers,
  listOf,
  membersOf,
} from './refusal';

const partMembers = [
  ...['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'executableCode'],
  ...['codeExecutionResult', 'toolCall', 'toolResponse'],
] as const;

export interface SignatureRules {
  /** Signatures that the service has given, each with the call or the text that it stands on. */
  readonly given: ReadonlyMap<string, string>;
  readonly isAsked: boolean;
}

const dummySignature = 'skip_thought_signature_validator';

export function checkContents(body: Members, rules: SignatureRules): Refusal | undefined {
  const contents = listOf(body['contents']).map(membersOf);
  if (contents.length === 0) {
    return invalid('* GenerateContentRequest.contents: contents is not specified\n');
  }
  return firstOf(
    () => firstIn(contents, checkContent),
    () => checkTurns(contents),
    () => (rules.isAsked ? checkSignatures(contents, rules.given) : undefined),
  );
}

function checkContent(content: Members, i: number): Refusal | undefined {
  if (content['role'] !== 'user' && content['role'] !== 'model') {
    return invalid('Please use a valid role: user, model.');
  }
  const parts = listOf(content['parts']).map(membersOf);
  if (parts.length === 0) {
    return invalid(
      `* GenerateContentRequest.contents[${i}].parts: contents.parts must not be empty.\n`,
    );
  }
  return firstIn(parts, (part, k) => checkPart(part, `contents[${i}].parts[${k}]`));
}

function checkPart(part: Members, path: string): Refusal | undefined {
  const set = partMembers.filter((name) => name in part);
  if (set.length !== 1) {
    return invalid(
      `* GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field\n`,
    );
  }
  const isBareText = part['text'] === '' && part['thoughtSignature'] === undefined;
  if (isBareText) {
    return invalid(`Unable to submit request because it has an empty text parameter at ${path}.`);
  }
  const call = membersOf(part['functionCall']);
  const response = membersOf(part['functionResponse']);
  if ('functionCall' in part && ('args' in call ? !isMembers(call['args']) : false)) {
    return invalid(
      `Invalid value at '${path}.function_call.args' (type.googleapis.com/google.protobuf.Struct)`,
    );
  }
  if ('functionResponse' in part && !isMembers(response['response'])) {
    return invalid(
      `Invalid value at '${path}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`,
    );
  }
  const name = 'functionCall' in part ? call['name'] : response['name'];
  const isNamed = typeof name === 'string' && /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(name);
  return ('functionCall' in part || 'functionResponse' in part) && !isNamed
    ? invalid(`* GenerateContentRequest.${path}: Name cannot be empty or is not a valid name.\n`)
    : undefined;
}

function checkTurns(contents: readonly Members[]): Refusal | undefined {
  return (
    firstIn(contents, (content, i) => {
      const before = contents[i - 1];
      const calls = partsWith(content, 'functionCall');
      const responses = partsWith(content, 'functionResponse');
      if (calls.length > 0 && before?.['role'] !== 'user') {
        return invalid(
          'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        );
      }
      const asked = before === undefined ? [] : partsWith(before, 'functionCall');
      if (responses.length > 0 && asked.length === 0) {
        return invalid(
          'Please ensure that function response turn comes immediately after a function call turn.',
        );
      }
      if (asked.length !== responses.length) {
        return invalid(
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
        );
      }
      const mismatch = responses.find((response, k) => !isAnswer(response, asked[k] ?? {}));
      return mismatch === undefined
        ? undefined
        : invalid('Please ensure that function response parts match their function call parts.');
    }) ?? unanswered(contents)
  );
}

function unanswered(contents: readonly Members[]): Refusal | undefined {
  const last = contents.at(-1);
  return last?.['role'] === 'model'
    ? invalid(
        'Please ensure that the conversation ends with a user turn or a function response turn.',
      )
    : undefined;
}

function isAnswer(response: Members, call: Members): boolean {
  return response['name'] === call['name'] && response['id'] === call['id'];
}

/** In the turn that goes on: since the last content of the user's that is not made of results alone. */
function checkSignatures(
  contents: readonly Members[],
  given: ReadonlyMap<string, string>,
): Refusal | undefined {
  const start = contents.findLastIndex(
    (content) =>
      content['role'] === 'user' &&
      partsWith(content, 'functionResponse').length < listOf(content['parts']).length,
  );
  return firstOf(
    () =>
      firstIn(contents, (content) =>
        firstIn(listOf(content['parts']).map(membersOf), (part) => checkOne(part, given)),
      ),
    () =>
      firstIn(contents.slice(start + 1), (content) => {
        const first = listOf(content['parts'])
          .map(membersOf)
          .find((part) => 'functionCall' in part);
        return first !== undefined && first['thoughtSignature'] === undefined
          ? invalid(
              'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.',
            )
          : undefined;
      }),
  );
}

function checkOne(part: Members, given: ReadonlyMap<string, string>): Refusal | undefined {
  const signature = part['thoughtSignature'];
  if (signature === undefined || signature === dummySignature) {
    return undefined;
  }
  const bearer = typeof signature === 'string' ? given.get(signature) : undefined;
  return bearer === bearerOf(part) ? undefined : invalid('Corrupted thought signature.');
}

/** What a signature stands on, as it is compared. */
export function bearerOf(part: Members): string {
  return JSON.stringify(part['functionCall'] ?? part['text'] ?? part);
}

function partsWith(content: Members, name: 'functionCall' | 'functionResponse'): Members[] {
  return listOf(content['parts'])
    .map(membersOf)
    .flatMap((part) => (name in part ? [membersOf(part[name])] : []));
}
