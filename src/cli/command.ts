import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Core } from '../app.ts';
import { nearestName } from '../base/nearest-name.ts';
import type { Config } from '../config/config.ts';
import { dataPaths, hasDatabase } from '../config/data-dir.ts';
import type { Data } from '../data.ts';

/** A command of `bin/sluice`. What it returns becomes the exit code. */
export interface Command {
  readonly usage: string;
  run(args: readonly string[], io: CommandContext): Promise<number>;
}

/** Where there is no data yet: the command is refused, or makes the first of it. */
type MissingDataPolicy = 'refuse' | 'make';

interface CommandData {
  readonly config: Config;
  readonly isTemporary: boolean;
}

/** What a command may touch. */
export interface CommandContext {
  readonly config: () => Config;
  /** Runs `work` on what is kept, and closes it. Nothing that fetches is loaded, which would take half a second more. */
  readonly withData: <T>(work: (data: Data) => Promise<T>, ifNone?: MissingDataPolicy) => Promise<T>;
  /** Runs `work` on an opened core and closes it; where there is no data yet, on some that goes with it. */
  readonly withCore: <T>(work: (core: Core, data: CommandData) => Promise<T>) => Promise<T>;
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
    throw new CommandError(parseErrorMessage(error as Error, Object.keys(options)), 2);
  }
}

/** For an unknown option, Node's message explains positional arguments; a near name helps more. */
function parseErrorMessage({ message }: Error, names: readonly string[]): string {
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
export function requireArgument(value: string | undefined, name: string): string {
  if (value === undefined) throw new CommandError(`${name} is missing`, 2);
  return value;
}

/** Whether a Sluice has been here; refuses where nobody can tell. */
export function dataExists(config: Config): boolean {
  try {
    return hasDatabase(config);
  } catch (error) {
    throw new CommandError(`the folder of SLUICE_DATA_DIR cannot be read: ${(error as Error).message}`);
  }
}

/** Refuses where no Sluice has been: who only looks or changes must not leave an empty folder there. */
export function assertDataExists(config: Config): void {
  if (dataExists(config)) return;
  const { dataDir } = dataPaths(config);
  const what = existsSync(dataDir) ? `no data of Sluice in ${dataDir}` : `no data folder at ${dataDir}`;
  throw new CommandError(
    `there is ${what}: set SLUICE_DATA_DIR to your data folder, or create one with sluice serve`,
  );
}

/** The next SIGTERM or SIGINT. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const on = (signal: NodeJS.Signals) => {
      for (const one of signals) process.off(one, on);
      resolve(signal);
    };
    for (const one of signals) process.on(one, on);
  });
}

/** Does it at each SIGHUP, which would otherwise end the process, until it is disposed of. */
export function onSighup(work: () => void): Disposable {
  process.on('SIGHUP', work);
  return { [Symbol.dispose]: () => process.off('SIGHUP', work) };
}
