import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Core } from '../app.ts';
import { nearestName } from '../base/nearest-name.ts';
import type { Config } from '../config/config.ts';
import { dataPaths, hasDatabase } from '../config/data-dir.ts';
import type { Data } from '../data.ts';
import type { Logging } from '../observe/logger.ts';

/** A command of `bin/sluice`. */
export interface Command {
  readonly usage: string;
  /** @returns the exit code */
  run(args: readonly string[], io: CommandContext): Promise<number>;
}

/** What happens if there is no data folder yet. */
type MissingDataPolicy = 'refuse' | 'create';

interface CommandData {
  readonly config: Config;
  readonly isTemporary: boolean;
}

/** The facilities of the process that commands use. */
export interface CommandContext {
  /** Throws CommandError if the configuration is invalid. */
  readonly config: () => Config;
  /**
   * Opens the data folder, runs `work`, and closes it. Does not load the modules for fetching, which saves half a second.
   * @param ifMissing default: `refuse`
   */
  readonly withData: <T>(work: (data: Data) => Promise<T>, ifMissing?: MissingDataPolicy) => Promise<T>;
  /** Opens a core (data and fetching), runs `work`, and closes it. If there is no data folder, it uses a temporary one. */
  readonly withCore: <T>(work: (core: Core, data: CommandData) => Promise<T>) => Promise<T>;
  readonly logging: Logging;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** The exit code for a command with a wrong name, option or argument. Any other error: 1. */
export const WRONG_USAGE = 2;

/** An error that the user can fix. Its message is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Parses options. Throws CommandError if one is unknown or incomplete, or if there are too many positional arguments. */
export function readArgs<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
  { maxPositionals = 0 }: { readonly maxPositionals?: number } = {},
) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (parsed.positionals.length > maxPositionals)
      throw new CommandError(`unexpected argument "${parsed.positionals[maxPositionals]}"`, WRONG_USAGE);
    return parsed;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(parseErrorMessage(error as Error, Object.keys(options)), WRONG_USAGE);
  }
}

/** Node's message for an unknown option explains positional arguments. A similar name is more helpful. */
function parseErrorMessage({ message }: Error, names: readonly string[]): string {
  const unknown = /^Unknown option '([^']*)'/.exec(message)?.[1];
  if (unknown === undefined) return message;
  const similar = nearestName(
    unknown,
    names.map((name) => `--${name}`),
  );
  return `unknown option "${unknown}"${similar === null ? '' : `; did you mean "${similar}"?`}`;
}

/**
 * The error for a missing or unknown subcommand. If `names` has a similar one, the message suggests it.
 * @param known the words before the subcommand, such as `keys`
 */
export function unknownCommand(
  known: readonly string[],
  unknown: string | undefined,
  names: readonly string[],
  usage: string,
): CommandError {
  if (unknown === undefined)
    return new CommandError(`${known.join(' ')} needs a command\n${usage}`, WRONG_USAGE);
  const similar = nearestName(unknown, names);
  const hint = similar === null ? '' : `; did you mean "${[...known, similar].join(' ')}"?`;
  return new CommandError(`unknown command "${[...known, unknown].join(' ')}"${hint}\n${usage}`, WRONG_USAGE);
}

/** @throws CommandError if the value is missing */
export function requireArgument(value: string | undefined, name: string): string {
  if (value === undefined) throw new CommandError(`${name} is missing`, WRONG_USAGE);
  return value;
}

/** Whether the data folder contains a database. Throws CommandError if it cannot be read. */
export function dataExists(config: Config): boolean {
  try {
    return hasDatabase(config);
  } catch (error) {
    throw new CommandError(`the folder of SLUICE_DATA_DIR cannot be read: ${(error as Error).message}`);
  }
}

/** Throws CommandError if there is no database, so that commands for existing data do not create an empty folder. */
export function assertDataExists(config: Config): void {
  if (dataExists(config)) return;
  const { dataDir } = dataPaths(config);
  const missing = existsSync(dataDir) ? `no data of Sluice in ${dataDir}` : `no data folder at ${dataDir}`;
  throw new CommandError(
    `there is ${missing}: set SLUICE_DATA_DIR to your data folder, or create one with sluice serve`,
  );
}

/** Resolves at the next SIGTERM or SIGINT. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const names = ['SIGTERM', 'SIGINT'] as const;
    const onSignal = (signal: NodeJS.Signals) => {
      for (const name of names) process.off(name, onSignal);
      resolve(signal);
    };
    for (const name of names) process.on(name, onSignal);
  });
}

/** Runs `work` at each SIGHUP until disposed. Without a listener, SIGHUP would end the process. */
export function onSighup(work: () => void): Disposable {
  process.on('SIGHUP', work);
  return { [Symbol.dispose]: () => process.off('SIGHUP', work) };
}
