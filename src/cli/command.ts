import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Core } from '../app.ts';
import { nearestName } from '../base/nearest-name.ts';
import type { Config } from '../config/parse-config.ts';
import type { Data } from '../data.ts';

/** A command of `bin/sluice`. What it returns becomes the exit code. */
export interface Command {
  readonly usage: string;
  run(args: readonly string[], io: Io): Promise<number>;
}

/** Where there is no data yet: the command is refused, or makes the first of it. */
export type IfNoData = 'refuse' | 'make';

export interface DataHere {
  readonly config: Config;
  readonly passing: boolean;
}

/** What a command may touch. */
export interface Io {
  readonly config: () => Config;
  /** Runs `work` on what is kept, and closes it. Nothing that fetches is loaded, which would take half a second more. */
  readonly withData: <T>(work: (data: Data) => Promise<T>, ifNone?: IfNoData) => Promise<T>;
  /** Runs `work` on an opened core and closes it; where there is no data yet, on some that goes with it. */
  readonly withCore: <T>(work: (core: Core, data: DataHere) => Promise<T>) => Promise<T>;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Something the person at the keyboard can mend: shown as it is, without a stack; exit code 2 for wrong usage. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Parsed options; an unknown or incomplete one is a CommandError. */
export function readArgs<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
  positionals: number,
) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (parsed.positionals.length > positionals)
      throw new CommandError(`unexpected argument "${parsed.positionals[positionals]}"`, 2);
    return parsed;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(wordsOf(error as Error, Object.keys(options)), 2);
  }
}

/** For an unknown option, Node's message explains positional arguments; a near name helps more. */
function wordsOf({ message }: Error, names: readonly string[]): string {
  const given = /^Unknown option '([^']*)'/.exec(message)?.[1];
  if (given === undefined) return message;
  const near = nearestName(
    given,
    names.map((name) => `--${name}`),
  );
  return `unknown option "${given}"${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** Suggests the nearest name. @param before the words of the command that were understood */
export function unknownCommand(
  before: readonly string[],
  given: string | undefined,
  names: readonly string[],
  usage: string,
): CommandError {
  if (given === undefined) return new CommandError(`${before.join(' ')} needs a command\n${usage}`, 2);
  const near = nearestName(given, names);
  const hint = near === null ? '' : `; did you mean "${[...before, near].join(' ')}"?`;
  return new CommandError(`unknown command "${[...before, given].join(' ')}"${hint}\n${usage}`, 2);
}

/** The value, or a CommandError that names the option. */
export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new CommandError(`${name} is missing`, 2);
  return value;
}
