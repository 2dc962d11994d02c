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
import type { Problem, ScrapeAnswer } from './wire-types.ts';

export const TEST_KEY = 'test-key.of~this_suite.0123456789abcdef';
/** Longer than a line of the log waits for its write. */
const WRITTEN_MS = 150;

/** The real program in a process of its own, on a data folder of its own. */
export interface Service extends AsyncDisposable {
  readonly base: string;
  readonly port: number;
  readonly key: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Any call of the API; every answer is checked against the OpenAPI file. */
  readonly api: Api;
  /** `POST /api/v1/scrape/`. */
  scrape(body: unknown, options?: ApiOptions): Promise<Reply<ScrapeAnswer & Partial<Problem>>>;
  /** The command line of the program on the same data folder. */
  cli(
    args: readonly string[],
    options?: { input?: string; env?: NodeJS.ProcessEnv },
  ): Promise<Exit & { readonly stdout: string; readonly stderr: string }>;
  /** Everything printed until now: it is looked at a little later, as lines are gathered for 50 ms before a write. */
  output(): Promise<string>;
  /** The lines of `output` that are JSON. */
  log(): Promise<Record<string, unknown>[]>;
  /** SIGTERM; fails when the exit code is not 0. */
  stop(): Promise<void>;
  /** `stop`, and the data folder goes, in every case. */
  end(): Promise<void>;
  /** SIGTERM (or that signal), and how the process ended. */
  terminate(signal?: NodeJS.Signals): Promise<Exit>;
  kill9(): Promise<void>;
  /** How it ended, whoever ended it. */
  readonly exited: Promise<Exit>;
}

export interface ServiceOptions {
  /** An existing folder, which then stays. */
  readonly dataDir?: string;
  readonly port?: number;
  /** Words before the program: a command that starts the words that follow it. */
  readonly wrap?: readonly string[];
  /** `bin/sluice` of another copy of the repository. */
  readonly program?: string;
}

/** @param env beyond the usual: loopback targets allowed, a key, a free port; undefined members are unset. */
export async function startService(
  env: NodeJS.ProcessEnv = {},
  options: ServiceOptions = {},
): Promise<Service> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const dataDir = options.dataDir ?? join(home, 'data');
  const port = options.port ?? (await freePort());
  const environment: NodeJS.ProcessEnv = {
    ...cleanEnvironment(),
    SLUICE_HOST: '127.0.0.1',
    SLUICE_PORT: String(port),
    SLUICE_DATA_DIR: dataDir,
    SLUICE_API_KEY: TEST_KEY,
    SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8,::1/128',
    // Tests of other things must not build it.
    SLUICE_DASHBOARD: 'false',
    // Most tests need none, and starting one takes two seconds of a processor.
    SLUICE_BROWSER_WARM: 'false',
    // The least, for a hash at the usual cost takes a quarter of a second.
    SLUICE_PASSWORD_COST: '10',
    ...env,
  };
  const [command, ...words] = [...(options.wrap ?? []), options.program ?? SLUICE, 'serve'];
  const child = startChild(command!, words, { cwd: home, env: environment });
  const base = `http://127.0.0.1:${port}`;
  const cleanUp = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  await ready(child, base).catch((error: unknown) => {
    cleanUp();
    throw error;
  });
  const api = apiOf(base, TEST_KEY);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await child.exited;
  };
  const dispose = async () => {
    if (child.running()) {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      await child.exited;
      clearTimeout(late);
    }
    cleanUp();
  };
  const stop = async () => {
    const exit = await end('SIGTERM');
    assert.deepEqual(exit, { code: 0, signal: null }, (child.stdout() + child.stderr()).slice(-3000));
  };
  return {
    base,
    port,
    key: TEST_KEY,
    dataDir,
    pid: child.pid,
    api,
    scrape: (body, more) => api('POST', '/api/v1/scrape/', { body, ...more }),
    cli: (args, more) =>
      runChild(SLUICE, args, {
        cwd: home,
        env: { ...environment, SLUICE_API_KEY: undefined, ...more?.env },
        ...(more?.input === undefined ? {} : { input: more.input }),
      }),
    output: () => pause(WRITTEN_MS).then(() => child.stdout() + child.stderr()),
    log: () => pause(WRITTEN_MS).then(() => jsonLines(child.stdout())),
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

async function ready(child: Child, base: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await pause(20)) {
    if (!child.running()) break;
    const answer = await fetch(`${base}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
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

/** A service for all tests of the `describe` that calls it; its members may be read inside of tests only. */
export function useService(env?: NodeJS.ProcessEnv | (() => NodeJS.ProcessEnv)): Service {
  let started: Service | undefined;
  before(async () => {
    started = await startService(typeof env === 'function' ? env() : env);
  });
  after(async () => {
    await started?.end();
  });
  return new Proxy({} as Service, { get: (_, name) => Reflect.get(started!, name) });
}

/**
 * Polls until `look` gives something, or fails after `ms`: unless it is a promise that is tested, long enough for a machine
 * that has much else to do.
 */
export async function eventually<T>(
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  ms = 20_000,
): Promise<T> {
  for (const end = performance.now() + ms; ; await pause(10)) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${look}`);
  }
}
