import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Core } from '../app.ts';
import type { Config } from '../config/parse-config.ts';

/** A command of `bin/sluice`. What it returns becomes the exit code. */
export interface Command {
  readonly usage: string;
  run(args: readonly string[], io: Io): Promise<number>;
}

/** Where there is no data yet: the command is refused, makes the first of it, or works on some that goes with it. */
export type IfNoData = 'refuse' | 'make' | 'for now';

export interface DataHere {
  readonly config: Config;
  readonly passing: boolean;
}

/** What a command may touch. */
export interface Io {
  readonly config: () => Config;
  /** Runs `work` on an opened core and closes it. `data`: where that is, and whether it goes with it. */
  readonly withCore: <T>(work: (core: Core, data: DataHere) => Promise<T>, ifNone?: IfNoData) => Promise<T>;
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
    throw new CommandError((error as Error).message, 2);
  }
}

/** The value, or a CommandError that names the option. */
export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new CommandError(`${name} is missing`, 2);
  return value;
}
