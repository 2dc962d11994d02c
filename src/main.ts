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
sluice secrets list|rotate|forget   manage the keys that encrypt stored secrets
sluice scrape URL [--option value]  scrape a page; needs no running service
sluice batch FILE                   scrape the URLs in a file
sluice crawl URL                    scrape a site
sluice map URL                      list the URLs of a site
sluice watch URL                    print the changes of a page
sluice watch JOB_ID                 follow a job to its end
sluice import curl URL …            print the scrape request that does the same
sluice mcp                          offer tools to language models, over standard input and output
sluice ca                           print the certificate of the proxy port
sluice backup FILE                  back up all data to one file
sluice restore FILE                 restore a backup
sluice version                      print the version
sluice COMMAND --help               explain a command`;

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

/** A command is loaded only if it is used: loading all modules takes most of a second. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  users: async () => (await import('./cli/users.ts')).users,
  keys: async () => (await import('./cli/keys.ts')).keys,
  secrets: async () => (await import('./cli/secrets.ts')).secrets,
  ca: async () => (await import('./cli/ca.ts')).ca,
  backup: async () => (await import('./cli/backup.ts')).backup,
  restore: async () => (await import('./cli/backup.ts')).restore,
  scrape: async () => (await import('./cli/scrape.ts')).scrape,
  batch: async () => (await import('./cli/batch.ts')).batch,
  crawl: async () => (await import('./cli/crawl.ts')).crawl,
  map: async () => (await import('./cli/map.ts')).map,
  import: async () => (await import('./cli/import.ts')).importRequest,
  mcp: async () => (await import('./cli/mcp.ts')).mcp,
  watch: async () => (await import('./cli/watch.ts')).watch,
};

/** What commands get from this file: configuration, data and output. */
const commandContext: CommandContext = {
  config: () => configOrThrow(),
  async withData(work, ifMissing = 'refuse') {
    const config = configOrThrow();
    if (ifMissing === 'refuse') assertDataExists(config);
    const { withData } = await import('./data.ts');
    return withData(config, logging, work);
  },
  async withCore(work) {
    const ownConfig = configOrThrow();
    const isTemporary = !dataExists(ownConfig);
    const { openCore } = await import('./app.ts');
    const config = isTemporary
      ? { ...ownConfig, dataDir: await mkdtemp(join(tmpdir(), 'sluice-')) }
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

/** For `sluice serve`: reports all problems of the configuration and of the proxy pools file together, before anything starts. */
async function assertSettings(): Promise<void> {
  const file = loaded.config === null ? loaded.proxiesFile : loaded.config.proxiesFile;
  const fileProblem = file === null ? null : (await import('./fetching.ts')).poolsFileProblem(file);
  if (loaded.config !== null && fileProblem === null) return;
  throw configError([...problemLines(loaded.problems ?? []), ...(fileProblem?.split('\n') ?? [])]);
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === '--version' || name === 'version') return print(VERSION);
  if (name === undefined || name === '--help' || name === 'help') return print(USAGE);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined)
    throw unknownCommand([], name, [...Object.keys(commands), 'help', 'version'], USAGE);
  const command = await load();
  if (args.includes('--help')) return print(command.usage);
  if (serving) await assertSettings();
  // SQLite creates its files (also backups) with the permissions of the umask. Other users must not read them.
  process.umask(0o077);
  return command.run(args, commandContext);
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
