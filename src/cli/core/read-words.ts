import { nearestName } from '../../base/nearest-name.ts';
import { type CommandCall, CommandError, type CommandSpec, type Flag, WRONG_USAGE } from './command.ts';
import { contradictionError, parseMembers } from './members.ts';

/** A command that was found by its words: `keys create`. */
export interface FoundCommand {
  /** The words, such as `['keys', 'create']`. */
  readonly path: readonly string[];
  readonly spec: CommandSpec;
  /** What follows the words. */
  readonly args: readonly string[];
}

/**
 * Finds the command that the user means. One with verbs is returned as it is, if help is asked for instead of a verb.
 * @throws CommandError if there is none, with a similar name
 */
export function findCommand(commands: readonly CommandSpec[], argv: readonly string[]): FoundCommand {
  const path: string[] = [];
  for (let level = commands; ; ) {
    const name = argv[path.length];
    if (path.length > 0 && (name === undefined || isHelp(name)))
      throw new CommandError(
        `${path.join(' ')} needs a command\none of ${level.map((one) => one.name).join(', ')}`,
        WRONG_USAGE,
      );
    const spec = level.find((one) => one.name === name);
    if (spec === undefined) throw unknownCommand(path, name ?? '', level);
    path.push(spec.name);
    const args = argv.slice(path.length);
    if (spec.verbs === undefined || (args[0] !== undefined && isHelp(args[0]))) return { path, spec, args };
    level = spec.verbs;
  }
}

export const isHelp = (word: string): boolean => word === '--help' || word === '-h';

function unknownCommand(path: readonly string[], name: string, level: readonly CommandSpec[]): CommandError {
  const similar = nearestName(
    name,
    level.map((spec) => spec.name),
  );
  const hint = similar === null ? '' : `; did you mean "${[...path, similar].join(' ')}"?`;
  const help = `see ${['sluice', ...path, '--help'].join(' ')}`;
  return new CommandError(`unknown command "${[...path, name].join(' ')}"${hint}\n${help}`, WRONG_USAGE);
}

/**
 * Reads arguments and options by the table. `--` ends the options.
 * @throws CommandError for unknown and incomplete options, and for missing and additional arguments
 */
export async function readWords({ spec, args }: FoundCommand): Promise<CommandCall> {
  if (spec.verbatim !== undefined && args[0] === spec.verbatim)
    return { words: args, flags: new Set(), values: new Map(), lists: new Map(), members: {} };
  const words: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const ofRequest: string[] = [];
  const memberLists = (spec.flags ?? []).filter((flag) => flag.member === true && flag.many === true);
  for (let i = 0; i < args.length; i++) {
    const text = args[i]!;
    if (text === '--') {
      words.push(...args.slice(i + 1));
      break;
    }
    const option = optionOf(spec, text);
    if (option === null) {
      words.push(text);
      continue;
    }
    const { flag, name, inline } = option;
    if (flag === null) await assertMember(spec, name, text);
    if (flag !== null && flag.value === undefined) {
      if (inline !== null) throw new CommandError(`--${name} takes no value`, WRONG_USAGE);
      flags.add(name);
      continue;
    }
    const value = inline ?? args[++i];
    // `--a --b`: the value was forgotten. One that begins so can be given as `--a=--b`.
    if (value === undefined || (inline === null && value.startsWith('--')))
      throw new CommandError(`a value for ${text} is missing`, WRONG_USAGE);
    if (flag === null || flag.member === true) ofRequest.push(`--${name}=${value}`);
    else if (flag.many === true) lists.set(name, [...(lists.get(name) ?? []), value]);
    else if (values.has(name)) throw contradictionError(name);
    else values.set(name, chosen(flag, value));
  }
  assertWords(spec, words);
  const members = await parseMembers(
    ofRequest,
    memberLists.map(({ name }) => name),
  );
  return { words, flags, values, lists, members };
}

interface ReadOption {
  /** null: the option is a member of the request. */
  readonly flag: Flag | null;
  readonly name: string;
  /** The value of `--name=value`. */
  readonly inline: string | null;
}

/** null: the text is an argument. */
function optionOf(spec: CommandSpec, text: string): ReadOption | null {
  const [, name, inline = null] = /^--([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  const { flags = [] } = spec;
  if (name !== undefined) {
    const flag = flags.find((one) => one.name === name) ?? null;
    if (flag === null && spec.members === undefined) throw unknownOption(spec, text);
    return { flag, name, inline };
  }
  if (!text.startsWith('-') || text === '-') return null;
  const flag = flags.find((one) => `-${one.short}` === text);
  if (flag === undefined) throw unknownOption(spec, text);
  return { flag, name: flag.name, inline: null };
}

/** An option that is no member of the request, but similar to one of the command or of the request, is mistyped. */
async function assertMember(spec: CommandSpec, name: string, text: string): Promise<void> {
  const known = (await spec.members!.names()).map((member) => member.name);
  const isKnown = known.some((member) => member === name || name.startsWith(`${member}.`));
  // Below the members that are known here, only the service knows what there is.
  if (isKnown || name.includes('.')) return;
  if (similarOption(spec, text, known) !== null) throw unknownOption(spec, text, known);
}

function similarOption(spec: CommandSpec, text: string, members: readonly string[]): string | null {
  const names = [...(spec.flags ?? []).map((flag) => flag.name), ...members, 'help'];
  return nearestName(
    text.split('=', 1)[0]!,
    names.map((name) => `--${name}`),
  );
}

function unknownOption(spec: CommandSpec, text: string, members: readonly string[] = []): CommandError {
  const similar = similarOption(spec, text, members);
  const hint = similar === null ? '' : `; did you mean "${similar}"?`;
  return new CommandError(`unknown option "${text.split('=', 1)[0]}"${hint}`, WRONG_USAGE);
}

function chosen({ name, choices }: Flag, value: string): string {
  if (choices === undefined || choices.includes(value)) return value;
  const similar = nearestName(value, choices);
  const hint = similar === null ? '' : `; did you mean "${similar}"?`;
  throw new CommandError(
    `--${name} must be one of ${choices.join(', ')}; got "${value}"${hint}`,
    WRONG_USAGE,
  );
}

function assertWords({ words: names = [] }: CommandSpec, words: readonly string[]): void {
  const required = names.filter((name) => !name.startsWith('['));
  if (words.length < required.length)
    throw new CommandError(`${required[words.length]} is missing`, WRONG_USAGE);
  const takesAll = names.at(-1)?.includes('…') === true;
  if (!takesAll && words.length > names.length)
    throw new CommandError(`unexpected argument "${words[names.length]}"`, WRONG_USAGE);
}
