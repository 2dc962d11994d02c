import type { Failure } from '../../domain/failure.ts';
import { isObject } from '../../domain/json-schema.ts';
import { hasLongNumbers, parseExactly } from '../../wire/request/exact-numbers.ts';
import { readJson } from '../../wire/schema/read-json.ts';
import { CommandError, WRONG_USAGE } from './command.ts';
import { readInput, textOf } from './input.ts';

/**
 * `--a.b=1`, `--c=x` → {a: {b: 1}, c: 'x'}
 * @param lists members whose values are lists, so that a single text is a list of one
 */
export async function parseMembers(
  options: readonly string[],
  lists: readonly string[],
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const option of options) {
    const [, full = '', text = ''] = /^--([^=]+)=(.*)$/s.exec(option)!;
    const path = full.split('.');
    const last = path.pop()!;
    let parent = body;
    for (const name of path) {
      if (!Object.hasOwn(parent, name)) defineMember(parent, name, {});
      parent = parent[name] as Record<string, unknown>;
      if (!isObject(parent)) throw contradictionError(full);
    }
    const value = await memberValue(text, full);
    const earlier = Object.hasOwn(parent, last) ? parent[last] : undefined;
    if (lists.includes(full) && value !== true && earlier !== true)
      defineMember(parent, last, [(earlier ?? []) as unknown[], value].flat());
    else if (earlier === undefined) defineMember(parent, last, value);
    else throw contradictionError(full);
  }
  return body;
}

export const contradictionError = (option: string): CommandError =>
  new CommandError(`--${option} contradicts an earlier option, or is given twice`, WRONG_USAGE);

/** Like `object[name] = value`, but does not change the prototype if the name is `__proto__`. */
const defineMember = (object: object, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
};

/** The value of an option: of `@FILE` the content of the file. @param name such as `headers.accept` */
async function memberValue(text: string, name: string): Promise<unknown> {
  const isBody = name === 'data';
  if (!text.startsWith('@') && !(isBody && text === '-')) return jsonOrText(text, name.split('.', 1)[0]!);
  const file = text === '-' ? '-' : text.slice(1);
  const bytes = await readInput(file);
  if (!isBody) return jsonOrText(textOf(bytes, file).trim(), name.split('.', 1)[0]!);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { $base64: bytes.toString('base64') };
  }
}

/**
 * Parses the value of an option. Long numbers are parsed as in a request: exactly in some members.
 * @param member top-level member of the request that contains the value
 */
function jsonOrText(text: string, member: string): unknown {
  const read = readJson(text);
  if (read.problems !== null) {
    const [{ message, pointer }] = read.problems as readonly [Failure];
    // It is JSON, but has a member twice.
    if (pointer !== undefined) throw new CommandError(`--${member}: ${message}`, WRONG_USAGE);
    return text;
  }
  // The space stands for the separator that `hasLongNumbers` expects before a number.
  if (!hasLongNumbers(` ${text}`)) return read.value;
  return (parseExactly(`{${JSON.stringify(member)}:${text}}`) as Record<string, unknown>)[member];
}

/** The `scraper_options` with one more format. An invalid value is returned as it is, to be refused with the request. */
export function withFormat(options: unknown, format: unknown): unknown {
  if (options === undefined) return { formats: [format] };
  if (!isObject(options)) return options;
  const { formats = [] } = options as { formats?: unknown };
  return Array.isArray(formats) ? { ...options, formats: [...formats, format] } : options;
}
