import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from './cli/commands/commands.ts';
import { assertDataExists, type CommandContext, CommandError, dataExists } from './cli/core/command.ts';
import { helpOf, overview } from './cli/core/help.ts';
import { findCommand, isHelp, readWords } from './cli/core/read-words.ts';
import type { Config, ConfigProblem } from './config/config.ts';
import { loadConfig } from './config/config.ts';
import { limitLibraryThreads } from './config/machine.ts';
import { createLogger } from './observe/logger.ts';
import { SettingsError } from './ports/proxies.ts';
import { StorageError } from './ports/store.ts';

const loaded = loadConfig(process.cwd());
limitLibraryThreads();
const serving = process.argv[2] === 'serve';
const logging = createLogger(serving ? serviceLogOptions() : commandLogOptions());

function serviceLogOptions() {
  const { logLevel = 'info', logFormat = 'auto' } = loaded.config ?? {};
  return { level: logLevel, fd: 1, format: resolveLogFormat(logFormat, process.stdout) };
}

/** Other commands print their result to stdout. They log to stderr, by default only warnings and errors. */
function commandLogOptions() {
  const { logLevel = 'info', logFormat = 'auto' } = loaded.config ?? {};
  return {
    level: logLevel === 'info' ? ('warn' as const) : logLevel,
    fd: 2,
    format: resolveLogFormat(logFormat, process.stderr),
  };
}

function resolveLogFormat(format: Config['logFormat'], stream: NodeJS.WriteStream): 'json' | 'text' {
  return format === 'auto' ? (stream.isTTY ? 'text' : 'json') : format;
}

/** What commands get from this file: configuration, data and output. */
const commandContext: CommandContext = {
  config: () => configOrThrow(),
  settingsProblems,
  async withData(work, ifMissing = 'refuse') {
    const config = configOrThrow();
    if (ifMissing === 'refuse') assertDataExists(config);
    const { withData } = await import('./data.ts');
    return withData(config, logging, work);
  },
  async withCore(work, changes) {
    // Remote browsers are for the service: it may run on this machine, and have the port of the guard.
    const ownConfig = { ...configOrThrow(), browsersFile: null, guardUrl: null, guardPort: null };
    const isTemporary = changes !== undefined || !dataExists(ownConfig);
    const { openCore } = await import('./app.ts');
    const config = isTemporary
      ? { ...ownConfig, ...changes, databaseUrl: null, dataDir: await mkdtemp(join(tmpdir(), 'sluice-')) }
      : ownConfig;
    try {
      const core = await openCore(config, logging);
      try {
        if (isTemporary)
          await core.accounts.ensureFirstUser({ email: config.adminEmail, password: null, apiKey: null });
        return await work(core, { config, isTemporary });
      } finally {
        await core.close();
      }
    } finally {
      if (isTemporary) await rm(config.dataDir, { recursive: true, force: true });
    }
  },
  commands: COMMANDS,
  logging,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

function configOrThrow(): Config {
  if (loaded.config !== null) return loaded.config;
  throw configError(problemLines(loaded.problems));
}

const problemLines = (problems: readonly ConfigProblem[]) =>
  problems.map(({ variable, message }) => `${variable} ${message}`);

const configError = (lines: readonly string[]) =>
  new CommandError(['The configuration is invalid:', ...lines].join('\n  '));

/** All problems of the configuration and of the files of proxy pools, remote browsers and vendors together. */
async function settingsProblems(): Promise<readonly string[]> {
  const file = loaded.config === null ? loaded.proxiesFile : loaded.config.proxiesFile;
  const fileProblem = file === null ? null : (await import('./pools-and-vendors.ts')).poolsFileProblem(file);
  return [
    ...problemLines(loaded.problems ?? []),
    ...(fileProblem?.split('\n') ?? []),
    ...((await browsersProblem())?.split('\n') ?? []),
    ...((await vendorsProblem())?.split('\n') ?? []),
  ];
}

async function browsersProblem(): Promise<string | null> {
  const { browsersFile = null, guardUrl = null } = loaded.config ?? {};
  if (browsersFile === null) return null;
  return (await import('./fetching.ts')).browsersFileProblem(browsersFile, guardUrl !== null);
}

async function vendorsProblem(): Promise<string | null> {
  const { vendorsFile = null, prices = null } = loaded.config ?? {};
  if (vendorsFile === null) return null;
  return (await import('./pools-and-vendors.ts')).vendorsFileProblem(vendorsFile, prices !== null);
}

async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  if (first === undefined || isHelp(first)) return print(overview(COMMANDS));
  if (first === '--version') return main(['version']);
  const found = findCommand(COMMANDS, argv);
  const { spec, path, args } = found;
  const isVerbatim = spec.verbatim !== undefined && args[0] === spec.verbatim;
  if (!isVerbatim && args.some(isHelp)) return print(helpOf(spec, path));
  // Before anything starts.
  const problems = serving ? await settingsProblems() : [];
  if (problems.length > 0) throw configError(problems);
  // SQLite creates its files (also backups) with the permissions of the umask. Other users must not read them.
  process.umask(0o077);
  const call = await readWords(found);
  return (await spec.load!())(call, commandContext);
}

/** @returns the exit code */
function print(text: string): number {
  commandContext.out(text);
  return 0;
}

// A closed pipe must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
let stdoutError: Error | null = null;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') stdoutError ??= error;
});
if (serving) {
  // A bug, but it concerns only one scrape or one round of background work. The service continues (docs/decisions/0005).
  process.on('unhandledRejection', (reason) => logging.logger.error({ err: reason }, 'unhandled rejection'));
  // The state of the process is unknown. Records are safe. A supervisor such as systemd starts the service again.
  process.on('uncaughtException', (error) => {
    logging.logger.fatal({ err: error }, 'uncaught exception: the process exits');
    void logging.flush(1_000).finally(() => process.exit(1));
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected =
    error instanceof CommandError ||
    error instanceof StorageError ||
    error instanceof SettingsError ||
    isListenError(error);
  if (isExpected) commandContext.err(`sluice: ${errorText(error as NodeJS.ErrnoException)}`);
  else logging.logger.fatal({ err: error }, 'unexpected error: the process exits');
  process.exitCode = error instanceof CommandError ? error.exitCode : 1;
}
if (!serving) await assertWritten();
await logging.flush(1_000);
// Work that still runs after two seconds is stuck, for example because a disk hangs. It must not keep the process alive.
AbortSignal.timeout(2_000).onabort = () => process.exit();

/** A command fails if its output is lost: it may be a new key, which cannot be shown again. */
async function assertWritten(): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  if (stdoutError === null) return;
  commandContext.err(`sluice: the output cannot be written: ${stdoutError.message}`);
  process.exitCode = 1;
}

function errorText({ code, message }: NodeJS.ErrnoException): string {
  return code === 'EADDRINUSE'
    ? `${message}: stop the program that uses it, or set SLUICE_PORT to another port`
    : message;
}

/** The address to listen on is taken, forbidden or does not exist. The message is enough without a stack. */
function isListenError(error: unknown): boolean {
  return (
    error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall))
  );
}
