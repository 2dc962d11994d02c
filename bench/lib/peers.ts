import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from '../../test/helpers/child.ts';
import { freePort } from '../../test/helpers/free-port.ts';
import type { BenchBrowser } from './bench-browser.ts';
import { type Contender, startContender } from './contenders.ts';

/** The package of the services and libraries that Sluice is compared with. */
const FOLDER = join(import.meta.dirname, '..', 'peers');
const START_TIMEOUT_MS = 30_000;
const QUEUE = 1000;

/** Installs the packages in bench/peers unless they are up to date. Returns the reason if that fails, else null. */
export function installPeers(): string | null {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'));
  const stampFile = join(FOLDER, 'node_modules', '.bench-stamp');
  const stamp = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return null;
  console.error('Installing the packages to compare with (npm ci --prefix bench/peers) …');
  // No install script may run (bench/peers/.npmrc says so too): they would download browsers.
  const npm = spawnSync('npm', ['ci', '--prefix', FOLDER, '--ignore-scripts', '--loglevel=error'], {
    encoding: 'utf8',
  });
  if (npm.status !== 0)
    return `npm ci: ${`${npm.stderr ?? ''}${npm.error?.message ?? ''}`.trim().split('\n')[0]}`;
  writeFileSync(stampFile, stamp);
  return null;
}

/** Starts the program in bench/peers that drives the browser with this library. */
export const startLibrary = (name: string, browser: BenchBrowser): Promise<Contender> =>
  startContender({ name, program: `peers/${name}.mjs`, browser });

/** Starts the service browserless, and the client that sends the requests. */
export async function startBrowserless(browser: BenchBrowser): Promise<Contender> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const { env, ...user } = browser.spawnOptions();
  const token = 'bench';
  const service = startChild(process.execPath, [join(FOLDER, 'browserless.mjs')], {
    env: {
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
      TOKEN: token,
      // The highest concurrency of the benchmark. Beyond it requests wait, and beyond QUEUED they are refused.
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
    for (const end = performance.now() + START_TIMEOUT_MS; ; await pause(50)) {
      if (!service.running() || performance.now() > end)
        throw new Error(
          `browserless did not start: ${(service.stderr() || service.stdout()).trim().slice(-500)}`,
        );
      const response = await fetch(`${base}/active?token=${token}`).catch(() => null);
      if (response !== null && response.status < 300) break;
    }
    // By default browserless switches the sandbox off.
    const ignoreDefaultArgs = browser.switches.includes('--no-sandbox') ? [] : ['--no-sandbox'];
    const launch = JSON.stringify({ args: browser.switches, ignoreDefaultArgs });
    const endpoint = `${base}/content?${new URLSearchParams({ token, launch })}`;
    const visitorOptions = { endpoint, headers: {}, body: {}, content: null };
    const visitor = await startContender({
      name: 'browserless',
      program: 'lib/http-visitor.ts',
      args: [JSON.stringify(visitorOptions)],
      pid: service.pid,
    });
    return {
      ...visitor,
      async stop() {
        await visitor.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
