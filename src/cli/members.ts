import { isObject } from '../domain/json-schema.ts';
import { hasLongNumbers, parseExactly } from '../wire/request/exact-numbers.ts';
import { CommandError, requireArgument, WRONG_USAGE } from './command.ts';

interface OptionNames {
  /** Options of the command without a value, such as `json` for `--json`. */
  readonly flags: readonly string[];
  /** Options of the command with a value. */
  readonly values: readonly string[];
  /** Members of the request whose values are lists: their options may be given several times. */
  readonly lists: readonly string[];
}

export interface CommandOptions {
  readonly positionals: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * Separates the options of a command from the members of its request, which all other options are. `-o` is `--output`.
 * @throws CommandError
 */
export function readOptions(
  args: readonly string[],
  names: Partial<OptionNames>,
  maxPositionals: number,
): CommandOptions {
  const positionals: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const ofRequest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const text = args[i] === '-o' ? '--output' : args[i]!;
    const [option, name, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    if (option === undefined || name === undefined) {
      if (positionals.length === maxPositionals || (text.startsWith('-') && text !== '-'))
        throw new CommandError(`unexpected argument "${text}"`, WRONG_USAGE);
      positionals.push(text);
    } else if (names.flags?.includes(name) === true && inline === undefined) flags.add(name);
    else {
      const value = inline ?? requireArgument(args[++i], `a value for ${args[i - 1]}`);
      if (names.values?.includes(name) !== true) ofRequest.push(`--${name}=${value}`);
      else if (values.has(name)) throw contradictionError(name);
      else values.set(name, value);
    }
  }
  return { positionals, flags, values, members: parseMembers(ofRequest, names.lists) };
}

/**
 * `--a.b 1 --c x` → {a: {b: 1}, c: 'x'}
 * @param lists members whose values are lists, so that a single text is a list of one
 */
export function parseMembers(
  args: readonly string[],
  lists: readonly string[] = [],
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (let i = 0; i < args.length; i++) {
    const option = /^--([^=]+)(?:=(.*))?$/s.exec(args[i]!);
    if (option === null) throw new CommandError(`unexpected argument "${args[i]}"`, WRONG_USAGE);
    const path = option[1]!.split('.');
    const last = path.pop()!;
    const text = option[2] ?? requireArgument(args[++i], `a value for ${option[0]}`);
    let parent = body;
    for (const name of path) {
      if (!Object.hasOwn(parent, name)) defineMember(parent, name, {});
      parent = parent[name] as Record<string, unknown>;
      if (!isObject(parent)) throw contradictionError(option[1]!);
    }
    const value = jsonOrText(text, path[0] ?? last);
    const earlier = Object.hasOwn(parent, last) ? parent[last] : undefined;
    if (lists.includes(option[1]!) && value !== true && earlier !== true)
      defineMember(parent, last, [(earlier ?? []) as unknown[], value].flat());
    else if (earlier === undefined) defineMember(parent, last, value);
    else throw contradictionError(option[1]!);
  }
  return body;
}

const contradictionError = (option: string): CommandError =>
  new CommandError(`--${option} contradicts an earlier option, or is given twice`, WRONG_USAGE);

/** Like `object[name] = value`, but does not change the prototype if the name is `__proto__`. */
const defineMember = (object: object, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
};

/**
 * Parses the value of an option. Long numbers are parsed as in a request: exactly in some members.
 * @param member top-level member of the request that contains the value
 */
function jsonOrText(text: string, member: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  // The space stands for the separator that `hasLongNumbers` expects before a number.
  if (!hasLongNumbers(` ${text}`)) return value;
  return (parseExactly(`{${JSON.stringify(member)}:${text}}`) as Record<string, unknown>)[member];
}

/** The `scraper_options` with one more format. An invalid value is returned as it is, to be refused with the request. */
export function withFormat(options: unknown, format: unknown): unknown {
  if (options === undefined) return { formats: [format] };
  if (!isObject(options)) return options;
  const { formats = [] } = options as { formats?: unknown };
  return Array.isArray(formats) ? { ...options, formats: [...formats, format] } : options;
}
