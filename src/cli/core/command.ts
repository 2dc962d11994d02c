import { existsSync } from 'node:fs';
import type { Core } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { dataPaths, hasDatabase } from '../../config/data-dir.ts';
import type { Data } from '../../data.ts';
import type { Logging } from '../../observe/logger.ts';

/** An option of a command. Reading, help, completion and suggestions come from it. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** What the value is, for the help, such as `FILE`. Absent: the option has no value. */
  readonly value?: string;
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** May be given several times. */
  readonly many?: true;
  /** The value is a member of the request; with `many` a list. */
  readonly member?: true;
  readonly doc: string;
}

/** A member of a request with its values, if it has only some: `scraper`, `router.sort`. */
export interface MemberName {
  readonly name: string;
  readonly choices: readonly string[];
}

/** Options that are not in the table are members of the request of the command. */
export interface OpenMembers {
  /** Lines for the help: option and explanation. */
  readonly docs: readonly (readonly [option: string, doc: string])[];
  /** Those that exist, for completion and suggestions. The service decides. Loaded only if needed. */
  names(): Promise<readonly MemberName[]>;
}

/** What the user has typed after the words of a command. */
export interface CommandCall {
  readonly words: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** Of options that may be given several times. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly members: Readonly<Record<string, unknown>>;
}

/** @returns the exit code */
export type RunCommand = (call: CommandCall, io: CommandContext) => Promise<number>;

/** A command of `bin/sluice`. It has either `verbs` or `load`. */
export interface CommandSpec {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** Names of its arguments: `URL`, `[FILE]` (may be left out), `WORD…` (any number). */
  readonly words?: readonly string[];
  readonly flags?: readonly Flag[];
  readonly members?: OpenMembers;
  /** If this is the first argument, all that follows are arguments: `curl` of `sluice import curl`. */
  readonly verbatim?: string;
  /** Paragraphs for the help. */
  readonly notes?: readonly string[];
  readonly examples?: readonly string[];
  readonly verbs?: readonly CommandSpec[];
  /** A command is loaded only if it is used: loading all modules takes most of a second. */
  readonly load?: () => Promise<RunCommand>;
}

/** What happens if there is no data folder yet. */
type MissingDataPolicy = 'refuse' | 'create';

export interface CommandData {
  readonly config: Config;
  readonly isTemporary: boolean;
}

/** The facilities of the process that commands use. */
export interface CommandContext {
  /** Throws CommandError if the configuration is invalid. */
  readonly config: () => Config;
  /** What is wrong with the configuration and with the file of proxy pools, a line each. */
  readonly settingsProblems: () => Promise<readonly string[]>;
  /**
   * Opens the data folder, runs `work`, and closes it. Does not load the modules for fetching, which saves half a second.
   * @param ifMissing default: `refuse`
   */
  readonly withData: <T>(work: (data: Data) => Promise<T>, ifMissing?: MissingDataPolicy) => Promise<T>;
  /**
   * Opens a core (data and fetching), runs `work`, and closes it. If there is no data folder, it uses a temporary one.
   * @param changes of the configuration, for a core with a temporary data folder in any case
   */
  readonly withCore: <T>(
    work: (core: Core, data: CommandData) => Promise<T>,
    changes?: Partial<Config>,
  ) => Promise<T>;
  /** The table of commands. */
  readonly commands: readonly CommandSpec[];
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

/** @throws CommandError if the value is missing */
export function requireArgument(value: string | undefined, name: string): string {
  if (value === undefined) throw new CommandError(`${name} is missing`, WRONG_USAGE);
  return value;
}

/** Whether the data folder contains a database, or PostgreSQL is used. Throws CommandError if it cannot be read. */
export function dataExists(config: Config): boolean {
  if (config.databaseUrl !== null) return true;
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
