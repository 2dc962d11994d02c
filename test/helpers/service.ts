import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, type Exit, runChild, startChild } from './child.ts';
import { type Api, type ApiOptions, apiOf, type Reply } from './client.ts';
import { freePort } from './free-port.ts';
import { cleanEnvironment, SLUICE } from './repository.ts';
import { createUser } from './users.ts';
import type { Problem, ScrapeAnswer } from './wire-types.ts';
import { shared } from './world.ts';

export const TEST_KEY = 'test-key.of~this_suite.0123456789abcdef';
/** The service collects log lines for 50 ms before it writes them. After this time they are readable. */
const LOG_DELAY_MS = 150;

/** What a caller sees of a service. */
export interface ServiceApi {
  readonly base: string;
  readonly port: number;
  /** A key of an administrator. */
  readonly key: string;
  /** Calls the API with that key, and asserts that every response fits docs/openapi.json. */
  readonly api: Api;
  /** `POST /api/v1/scrape/`. */
  scrape(body: unknown, options?: ApiOptions): Promise<Reply<ScrapeAnswer & Partial<Problem>>>;
}

/** The real program in a separate process, with a data folder of its own. */
export interface Service extends ServiceApi, AsyncDisposable {
  readonly dataDir: string;
  readonly pid: number;
  /** Runs `bin/sluice` with these arguments on the same data folder. */
  cli(
    args: readonly string[],
    options?: { input?: string; env?: NodeJS.ProcessEnv },
  ): Promise<Exit & { readonly stdout: string; readonly stderr: string }>;
  /** Everything printed until now; waits until the lines of the log are written. */
  output(): Promise<string>;
  /** The lines of `output` that are JSON. */
  log(): Promise<Record<string, unknown>[]>;
  /** Sends SIGTERM; rejects if the exit code is not 0. */
  stop(): Promise<void>;
  /** `stop`, and deletes the data folder, even if `stop` rejects. */
  end(): Promise<void>;
  /** Sends SIGTERM or another signal, and waits for the end of the process. */
  terminate(signal?: NodeJS.Signals): Promise<Exit>;
  kill9(): Promise<void>;
  /** Settles when the process has ended for any reason. */
  readonly exited: Promise<Exit>;
}

export interface ServiceOptions {
  /** A data folder that is not deleted at the end. */
  readonly dataDir?: string;
  readonly port?: number;
  /** Address that it listens on; default: 127.0.0.1. */
  readonly host?: string;
  /** A command prefix that runs the program, such as `unshare -n`. */
  readonly wrap?: readonly string[];
  /** `bin/sluice` of another copy of the repository. */
  readonly program?: string;
}

/**
 * Starts Sluice on a free port, with `TEST_KEY` and targets on loopback allowed, and waits until it is ready.
 * @param env additional variables; a variable that is undefined is unset
 */
export async function startService(
  env: NodeJS.ProcessEnv = {},
  options: ServiceOptions = {},
): Promise<Service> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const dataDir = options.dataDir ?? join(home, 'data');
  const host = options.host ?? '127.0.0.1';
  const port = options.port ?? (await freePort());
  const environment: NodeJS.ProcessEnv = {
    ...cleanEnvironment(),
    SLUICE_HOST: host,
    SLUICE_PORT: String(port),
    SLUICE_DATA_DIR: dataDir,
    ...(await databaseOf(dataDir)),
    SLUICE_API_KEY: TEST_KEY,
    SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8,::1/128',
    // Only tests of the dashboard may build it.
    SLUICE_DASHBOARD: 'false',
    // Most tests need no browser, and starting one takes two seconds of processor time.
    SLUICE_BROWSER_WARM: 'false',
    // The minimum, because hashing a password at the default cost takes a quarter of a second.
    SLUICE_PASSWORD_COST: '10',
    ...env,
  };
  const [command, ...args] = [...(options.wrap ?? []), options.program ?? SLUICE, 'serve'];
  const child = startChild(command!, args, { cwd: home, env: environment });
  const base = `http://${host}:${port}`;
  const cleanUp = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  await waitUntilReady(child, base).catch((error: unknown) => {
    cleanUp();
    throw error;
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await child.exited;
  };
  const dispose = async () => {
    if (child.running()) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await child.exited;
      clearTimeout(timer);
    }
    cleanUp();
  };
  const stop = async () => {
    const exit = await end('SIGTERM');
    assert.deepEqual(exit, { code: 0, signal: null }, (child.stdout() + child.stderr()).slice(-3000));
  };
  return {
    ...serviceApi(base, port, TEST_KEY),
    dataDir,
    pid: child.pid,
    cli: (args, cliOptions) =>
      runChild(SLUICE, args, {
        cwd: home,
        // A service that the developer has stored by `sluice login` does not count.
        env: { ...environment, XDG_CONFIG_HOME: home, SLUICE_API_KEY: undefined, ...cliOptions?.env },
        ...(cliOptions?.input === undefined ? {} : { input: cliOptions.input }),
      }),
    output: () => pause(LOG_DELAY_MS).then(() => child.stdout() + child.stderr()),
    log: () => pause(LOG_DELAY_MS).then(() => jsonLines(child.stdout())),
    stop,
    end: () => stop().finally(dispose),
    terminate: (signal = 'SIGTERM') => end(signal),
    exited: child.exited,
    async kill9() {
      await end('SIGKILL');
    },
    [Symbol.asyncDispose]: dispose,
  };
}

function serviceApi(base: string, port: number, key: string): ServiceApi {
  const api = apiOf(base, key);
  return {
    base,
    port,
    key,
    api,
    scrape: (body, options) => api('POST', '/api/v1/scrape/', { body, ...options }),
  };
}

/** By data folder: the database of the services that used it. */
const databases = new Map<string, string>();

/** In a file that imports `on-postgres.ts`: a database for each data folder. */
async function databaseOf(dataDir: string): Promise<NodeJS.ProcessEnv> {
  if (process.env.TEST_DATABASE !== 'postgres') return {};
  const { testDatabase } = await import('./postgres.ts');
  const url = databases.get(dataDir) ?? (await testDatabase());
  databases.set(dataDir, url);
  return { SLUICE_DATABASE_URL: url };
}

/** The database of a service with this data folder; undefined: SQLite. */
export const databaseUrlOf = (dataDir: string): string | undefined => databases.get(dataDir);

async function waitUntilReady(child: Child, base: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await pause(50)) {
    if (!child.running()) break;
    const response = await fetch(`${base}/readyz`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
  }
  child.kill('SIGKILL');
  const { code, signal } = await child.exited;
  throw new Error(
    `Sluice was not ready (exit code ${code}, signal ${signal}):\n${child.stdout()}${child.stderr()}`,
  );
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const sharedService = shared(
  () => startService(),
  (service) => service.end(),
);

/**
 * A service for all tests of the calling `describe`, with an administrator of their own. Other files of the process use it, too, so
 * a test that looks at all users, at all scrapes, at the log or at the process takes `useOwnService`. Its members can only be
 * read inside of tests.
 */
export function useService(): ServiceApi {
  return memberwise(async () => {
    const service = await sharedService();
    const { key } = await createUser(service, { role: 'admin' });
    return serviceApi(service.base, service.port, key);
  });
}

/** Starts a service for all tests of the calling `describe`. Its members can only be read inside of tests. */
export function useOwnService(env?: NodeJS.ProcessEnv | (() => NodeJS.ProcessEnv)): Service {
  return memberwise(
    () => startService(typeof env === 'function' ? env() : env),
    (service) => service.end(),
  );
}

/** An object with the members of what `open` returns before the tests of the calling `describe`. */
function memberwise<T extends object>(open: () => Promise<T>, close?: (opened: T) => Promise<void>): T {
  let opened: T | undefined;
  before(async () => {
    opened = await open();
  });
  after(async () => {
    if (opened !== undefined) await close?.(opened);
  });
  return new Proxy({} as T, { get: (_, name) => Reflect.get(opened!, name) });
}

/**
 * Calls `check` until it returns a value, and returns that; rejects after `ms`. The default is long, for busy machines;
 * a shorter time asserts that something happens within it.
 */
export async function eventually<T>(
  check: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  ms = 60_000,
): Promise<T> {
  // More and more rarely, because each check may be a request.
  let pauseMs = 10;
  for (const end = performance.now() + ms; ; await pause(pauseMs), pauseMs = Math.min(pauseMs * 1.5, 100)) {
    const value = await check();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`did not happen within ${ms} ms: ${check}`);
  }
}
