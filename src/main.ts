import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from './base/version.ts';
import {
  assertDataExists,
  type Command,
  type CommandContext,
  CommandError,
  dataExists,
  unknownCommand,
} from './cli/command.ts';
import type { Config, ConfigProblem } from './config/config.ts';
import { loadConfig } from './config/config.ts';
import { limitLibraryThreads } from './config/machine.ts';
import { createLogger } from './observe/logger.ts';
import { SettingsError } from './ports/proxies.ts';
import { StorageError } from './ports/store.ts';

const USAGE = `Sluice ${VERSION}: a self-hosted scraping router

sluice serve                        run the service
sluice users create|set|list|link   manage users
sluice keys create|list|revoke      manage API keys
sluice scrape URL [--option value]  scrape a page; needs no running service
sluice backup FILE                  back up all data to one file
sluice restore FILE                 restore a backup
sluice version                      print the version
sluice COMMAND --help               explain a command`;

const loaded = loadConfig(process.cwd());
limitLibraryThreads();
const serving = process.argv[2] === 'serve';
const logging = createLogger(serving ? forService() : forCommand());

function forService() {
  const { logLevel = 'info', logFormat = 'auto' } = loaded.config ?? {};
  return { level: logLevel, fd: 1, format: formatFor(logFormat, process.stdout) };
}

/** What does not serve speaks to its user: only troubles are logged, to stderr, unless the operator asks for more. */
function forCommand() {
  const { logLevel = 'info', logFormat = 'auto' } = loaded.config ?? {};
  return {
    level: logLevel === 'info' ? ('warn' as const) : logLevel,
    fd: 2,
    format: formatFor(logFormat, process.stderr),
  };
}

function formatFor(asked: 'auto' | 'json' | 'text', stream: NodeJS.WriteStream): 'json' | 'text' {
  return asked === 'auto' ? (stream.isTTY ? 'text' : 'json') : asked;
}

/** Each is loaded when it is wanted: all of Sluice takes most of a second, and `--help` needs none of it. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serve(logging),
  users: async () => (await import('./cli/users.ts')).users,
  keys: async () => (await import('./cli/keys.ts')).keys,
  backup: async () => (await import('./cli/backup.ts')).backup,
  restore: async () => (await import('./cli/backup.ts')).restore,
  scrape: async () => (await import('./cli/scrape.ts')).scrape,
};

const io: CommandContext = {
  config: () => configOrThrow(),
  async withData(work, ifMissing = 'refuse') {
    const config = configOrThrow();
    if (ifMissing === 'refuse') assertDataExists(config);
    const { withData } = await import('./data.ts');
    return withData(config, logging, work);
  },
  async withCore(work) {
    const given = configOrThrow();
    const isTemporary = !dataExists(given);
    const { openCore } = await import('./app.ts');
    const config = isTemporary ? { ...given, dataDir: await mkdtemp(join(tmpdir(), 'sluice-')) } : given;
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
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

function configOrThrow(): Config {
  if (loaded.config !== null) return loaded.config;
  throw configError(linesOf(loaded.problems));
}

const linesOf = (problems: readonly ConfigProblem[]) =>
  problems.map(({ variable, message }) => `${variable} ${message}`);

const configError = (lines: readonly string[]) =>
  new CommandError(['The configuration is refused:', ...lines].join('\n  '));

/** For the service: all that is wrong is said at once, the file of proxy pools included, before anything is begun. */
async function assertSettings(): Promise<void> {
  const file = loaded.config === null ? loaded.proxiesFile : loaded.config.proxiesFile;
  const trouble = file === null ? null : (await import('./fetching.ts')).poolsFileProblem(file);
  if (loaded.config !== null && trouble === null) return;
  throw configError([...linesOf(loaded.problems ?? []), ...(trouble?.split('\n') ?? [])]);
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === '--version' || name === 'version') return say(VERSION);
  if (name === undefined || name === '--help' || name === 'help') return say(USAGE);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined)
    throw unknownCommand([], name, [...Object.keys(commands), 'help', 'version'], USAGE);
  const command = await load();
  if (args.includes('--help')) return say(command.usage);
  if (serving) await assertSettings();
  // SQLite makes its files, backups too, with the rights of the process: nobody else is to read them.
  process.umask(0o077);
  return command.run(args, io);
}

function say(text: string): number {
  io.out(text);
  return 0;
}

// A reader that goes away is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
let stdoutError: Error | null = null;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') stdoutError ??= error;
});
if (serving) {
  // A promise that nobody waited for: a bug, but one of a single scrape or of a background round. The others go on.
  process.on('unhandledRejection', (reason) => logging.logger.error({ err: reason }, 'unhandled rejection'));
  // Thrown out of an event: what state it left is unknown. Records are safe; a supervisor starts the service again.
  process.on('uncaughtException', (error) => {
    logging.logger.fatal({ err: error }, 'the process ends');
    void logging.flush(1_000).finally(() => process.exit(1));
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const known =
    error instanceof CommandError ||
    error instanceof StorageError ||
    error instanceof SettingsError ||
    isListenError(error);
  if (known) io.err(`sluice: ${wordsOf(error as NodeJS.ErrnoException)}`);
  else logging.logger.fatal({ err: error }, 'the process ends');
  process.exitCode = error instanceof CommandError ? error.exitCode : 1;
}
if (!serving) await assertWritten();
await logging.flush(1_000);
// What still runs now is stuck (a disk that hangs, say), and ends with the process.
AbortSignal.timeout(2_000).onabort = () => process.exit();

/** What a command says is what it was asked for: a key that is shown nowhere, say. */
async function assertWritten(): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  if (stdoutError === null) return;
  io.err(`sluice: the output cannot be written: ${stdoutError.message}`);
  process.exitCode = 1;
}

function wordsOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'EADDRINUSE'
    ? `${message}: stop the program that uses it, or set SLUICE_PORT to another port`
    : message;
}

/** The address is taken, forbidden or not ours: nothing that a stack would explain. */
function isListenError(error: unknown): boolean {
  return (
    error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall))
  );
}
