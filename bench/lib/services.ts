import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from '../../test/helpers/child.ts';
import { freePort } from '../../test/helpers/free-port.ts';
import { cleanEnvironment, SLUICE } from '../../test/helpers/repository.ts';

/** A server in a separate process. */
export interface Served {
  readonly pid: number;
  /** `http://127.0.0.1:port` */
  readonly base: string;
  /** Sends SIGTERM; settles when the process has ended. */
  stop(): Promise<void>;
}

export interface SluiceServed extends Served {
  /** Value of the `Authorization` header. */
  readonly authorization: string;
  /** Milliseconds from spawn to the first 200 of /readyz. */
  readonly startMs: number;
  readonly dataDir: string;
}

/** Starts one of the servers in this folder. Settles when it has printed its port. */
export async function startBeside(name: string, args: readonly string[] = []): Promise<Served> {
  const child = startChild(process.execPath, [join(import.meta.dirname, name), ...args]);
  const [, port] = await child.printed(/port (\d+)/);
  return { pid: child.pid, base: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

export interface SluiceStart {
  /** `bin/sluice` of another checkout. */
  readonly program?: string;
  /** A command prefix, such as `taskset -c 1`. */
  readonly wrap?: readonly string[];
}

/**
 * Starts Sluice as operators do, with its log in a file. The data folder is new and deleted by `stop`, unless `extra`
 * sets SLUICE_DATA_DIR.
 */
export async function startSluice(
  extra: NodeJS.ProcessEnv = {},
  { program = SLUICE, wrap = [] }: SluiceStart = {},
): Promise<SluiceServed> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const dataDir = join(home, 'data');
  const log = openSync(join(home, 'log'), 'w');
  const port = await freePort();
  const key = `bench.${'k'.repeat(32)}`;
  const env = {
    ...cleanEnvironment(),
    SLUICE_HOST: '127.0.0.1',
    SLUICE_PORT: String(port),
    SLUICE_DATA_DIR: dataDir,
    SLUICE_API_KEY: key,
    SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8',
    SLUICE_LOG_LEVEL: 'info',
    // Building the dashboard would disturb the measurement.
    SLUICE_DASHBOARD: 'false',
    ...extra,
  };
  const started = performance.now();
  const [command, ...args] = [...wrap, program, 'serve'];
  const child = startChild(command!, args, { cwd: home, env, stdio: ['ignore', log, log] });
  const base = `http://127.0.0.1:${port}`;
  await waitUntilReady(child, base, join(home, 'log'));
  return {
    pid: child.pid,
    base,
    dataDir: env.SLUICE_DATA_DIR ?? dataDir,
    authorization: `Api-Key ${key}`,
    startMs: performance.now() - started,
    async stop() {
      await stop(child);
      closeSync(log);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function waitUntilReady(child: Child, base: string, log: string): Promise<void> {
  for (const end = performance.now() + 30_000; performance.now() < end; await pause(5)) {
    if (!child.running()) break;
    const response = await fetch(`${base}/readyz`).catch(() => null);
    if (response?.status === 200) return;
  }
  child.kill('SIGKILL');
  throw new Error(`Sluice ended, or was not ready within 30 s:\n${readFileSync(log, 'utf8')}`);
}

async function stop(child: Child): Promise<void> {
  child.kill('SIGTERM');
  await child.exited;
}
