import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from '../../test/helpers/child.ts';
import { freePort } from '../../test/helpers/free-port.ts';
import type { BenchBrowser } from './bench-browser.ts';
import { type Contender, startContender } from './contenders.ts';

const FOLDER = join(import.meta.dirname, '..', 'peers');
const STARTING_MS = 30_000;
const QUEUE = 1000;

/** Installs the others, once until their lock changes; gives the reason where that cannot be done. */
export function installPeers(): string | null {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'));
  const stampFile = join(FOLDER, 'node_modules', '.bench-stamp');
  const stamp = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return null;
  console.error('Installing the others (npm ci --prefix bench/peers), once until their lock changes …');
  // As the .npmrc beside it says once more: no script of a package is run, and so no browser is downloaded.
  const done = spawnSync('npm', ['ci', '--prefix', FOLDER, '--ignore-scripts', '--loglevel=error'], {
    encoding: 'utf8',
  });
  if (done.status !== 0)
    return `npm ci: ${`${done.stderr ?? ''}${done.error?.message ?? ''}`.trim().split('\n')[0]}`;
  writeFileSync(stampFile, stamp);
  return null;
}

/** A driver that is a library: the program beside its package. */
export const startLibrary = (name: string, browser: BenchBrowser): Promise<Contender> =>
  startContender({ name, program: `peers/${name}.mjs`, browser });

/** The service, and its caller. */
export async function startBrowserless(browser: BenchBrowser): Promise<Contender> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const { env, ...user } = browser.surroundings();
  const token = 'bench';
  const service = startChild(process.execPath, [join(FOLDER, 'browserless.mjs')], {
    env: {
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
      TOKEN: token,
      // As many as are asked for at once: it refuses others when more wait than its queue holds.
      CONCURRENT: '8',
      QUEUED: String(QUEUE),
      DEBUG: '-*',
      PLAYWRIGHT_BROWSERS_PATH: join(env.HOME!, 'browserless'),
    },
    ...user,
  });
  const stop = async () => {
    service.kill('SIGTERM');
    const timer = setTimeout(() => service.kill('SIGKILL'), 5_000);
    await service.exited;
    clearTimeout(timer);
  };
  try {
    for (const end = performance.now() + STARTING_MS; ; await pause(50)) {
      if (!service.running() || performance.now() > end)
        throw new Error(`it did not start: ${(service.stderr() || service.stdout()).trim().slice(-500)}`);
      const answer = await fetch(`${base}/active?token=${token}`).catch(() => null);
      if (answer !== null && answer.status < 300) break;
    }
    // It switches the sandbox off by itself.
    const ignoreDefaultArgs = browser.switches.includes('--no-sandbox') ? [] : ['--no-sandbox'];
    const launch = JSON.stringify({ args: browser.switches, ignoreDefaultArgs });
    const endpoint = `${base}/content?${new URLSearchParams({ token, launch })}`;
    const asked = { endpoint, headers: {}, body: {}, content: null };
    const caller = await startContender({
      name: 'browserless',
      program: 'lib/http-visitor.ts',
      args: [JSON.stringify(asked)],
      pid: service.pid,
    });
    return {
      ...caller,
      async stop() {
        await caller.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
