import assert from 'node:assert/strict';
import { chmodSync, closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { browserProcessesOf, chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { afterwards, tempFolder } from '../../adapters/temp.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

interface Ready {
  readonly status: string;
  readonly browser: { readonly state: string };
  readonly warnings: readonly string[];
}

const [found] = await chromiums();
const skip =
  process.platform !== 'linux'
    ? 'what is looked at is in /proc'
    : found === undefined && 'there is no Chromium on this machine';

describe('a browser that dies', { skip }, () => {
  test('and does not start again: 503 browser.down, HTTP scrapers work, and it recovers by itself', async (t) => {
    const { path, dead } = mortal(t);
    // It is the only one of its type, so no other browser replaces it.
    const service = await started(t, { SLUICE_BROWSER_PATH: `chrome=${path}` });
    const target = await aTarget(t);
    const ask = () =>
      service.scrape({ url: `${target.url}/page`, scraper: 'browser', browser_type: 'chrome' });
    const first = await ask();
    assert.equal(first.status, 200, first.text);
    writeFileSync(dead, '');
    for (const group of new Set(browserProcessesOf(service.pid).map(({ group }) => group))) killGroup(group);
    const down = await eventually(async () => {
      const reply = await ask();
      return reply.status !== 200 && reply.body.code !== 'browser.crashed' && reply;
    });
    assert.deepEqual([down.status, down.body.code, down.body.retryable], [503, 'browser.down', true]);
    const plain = await service.scrape({ url: `${target.url}/page`, scraper: 'http' });
    assert.equal(plain.status, 200, plain.text);
    const { status, browser, warnings } = await ready(service);
    assert.deepEqual([status, browser.state], ['degraded', 'down']);
    assert.match(warnings.join(), /does not start/);
    rmSync(dead);
    // The pauses between tries are a minute at most.
    await eventually(async () => (await ask()).status === 200, 70_000);
    await eventually(async () => (await ready(service)).browser.state === 'ready');
  });

  test('a page whose process crashes is 502 browser.crashed; the browser keeps running', async (t) => {
    const service = await started(t);
    const target = await aTarget(t);
    const ask = (path: string) => service.scrape({ url: target.url + path, scraper: 'browser' });
    assert.equal((await ask('/page')).status, 200);
    const browsers = firstsOf(service);
    // No page may open `chrome://crash`: its process is ended from outside, as the kernel does when memory is short, and
    // made to crash by itself where we may.
    const ways = [kill, ...(process.arch === 'x64' && process.getuid!() === 0 ? [spoil] : [])];
    for (const [at, end] of ways.entries()) {
      const hanging = ask('/half');
      await eventually(() => target.asked.filter((one) => one === 'GET /half.png').length > at);
      for (const { pid, line } of browserProcessesOf(service.pid))
        if (line.includes('--type=renderer')) await eventually(() => end(pid));
      const { status, body } = await hanging;
      assert.deepEqual([status, body.code, body.retryable], [502, 'browser.crashed', true], end.name);
      // A process in reserve, which was ended too, may end only when a page gets it.
      await eventually(async () => (await ask('/page')).status === 200);
    }
    assert.deepEqual(
      browsers.filter((pid) => !firstsOf(service).includes(pid)),
      [],
    );
  });
});

const kill = (pid: number): boolean => process.kill(pid, 'SIGKILL');

/**
 * An instruction that there is not (ud2) where its first thread goes on: signals to who is first in a namespace are lost.
 * false: it does not wait just now.
 */
function spoil(pid: number): boolean {
  const at = Number(readFileSync(`/proc/${pid}/syscall`, 'latin1').trim().split(' ').at(-1));
  if (!Number.isFinite(at)) return false;
  const memory = openSync(`/proc/${pid}/mem`, 'r+');
  writeSync(memory, Buffer.from('0f0b', 'hex'), 0, 2, at);
  closeSync(memory);
  return true;
}

/** Only the first process of each browser of a service. */
const firstsOf = ({ pid }: Service): readonly number[] =>
  browserProcessesOf(pid).flatMap(({ pid, line }) => (/--type=|crashpad/.test(line) ? [] : [pid]));

/** A browser that starts as long as there is no such file; it always tells its version. */
function mortal(t: TestContext): { readonly path: string; readonly dead: string } {
  const folder = tempFolder(t);
  // For the user that browsers run as.
  chmodSync(folder, 0o755);
  const [path, dead] = [join(folder, 'chrome'), join(folder, 'dead')];
  const env = Object.entries(found!.env).map(([name, value]) => `export ${name}='${value}'`);
  const lines = ['#!/bin/sh', `[ "$1" = --version ] || [ ! -e '${dead}' ] || exit 1`, ...env];
  writeFileSync(path, [...lines, `exec '${found!.path}' "$@"`, ''].join('\n'), { mode: 0o755 });
  return { path, dead };
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

async function started(t: TestContext, env: NodeJS.ProcessEnv = {}): Promise<Service> {
  const service = await startService(env);
  afterwards(t, () => service[Symbol.asyncDispose]());
  return service;
}

async function aTarget(t: TestContext): Promise<Target> {
  const target = await startTarget({
    '/page': html('<p>hello'),
    '/half': html('<p>half<img src="/half.png"><script>setInterval(() => {}, 20)</script>'),
    '/half.png': () => {},
  });
  afterwards(t, () => target[Symbol.asyncDispose]());
  return target;
}

const ready = async (service: Service): Promise<Ready> =>
  (await (await fetch(`${service.base}/readyz`)).json()) as Ready;
