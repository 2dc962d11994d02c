import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { browserProcessesOf, chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { afterwards } from '../../adapters/temp.ts';
import { eventually, type Service, type ServiceOptions, startService } from '../../helpers/service.ts';

const skip =
  process.platform !== 'linux'
    ? 'limits are set as Linux has them'
    : (await chromiums()).length === 0 && 'there is no Chromium on this machine';
/** Enough for a connection of a caller and one to a target, but not for the pipes of a browser. */
const FEW = 4;
/** A command prefix that runs a command with its own `/dev/shm` of this size. */
const withShm = (size: string): readonly string[] => [
  ...['unshare', '-m', 'sh', '-c'],
  `mount -t tmpfs -o mode=1777,size=${size} tmpfs /dev/shm && exec "$@"`,
  'sh',
];
const [command, ...words] = [...withShm('1m'), 'true'];
const noMounts =
  spawnSync(command!, words).status !== 0 && 'a file system of its own cannot be mounted here (unshare -m)';

describe('a browser that lacks descriptors or shared memory', { skip }, () => {
  test('descriptors: 503 browser.down says so and what to do, HTTP goes on, and it heals', async (t) => {
    const service = await started(t);
    const target = await aTarget(t);
    const ask = (scraper: string) => service.scrape({ url: `${target.url}/page`, scraper });
    assert.equal((await ask('browser')).status, 200);
    assert.equal((await ask('http')).status, 200);
    limit(service, 3);
    for (const group of new Set(browserProcessesOf(service.pid).map(({ group }) => group))) killGroup(group);
    await eventually(() => browserProcessesOf(service.pid).length === 0);
    limit(service, descriptorsOf(service) + FEW);
    const down = await eventually(async () => {
      const reply = await ask('browser');
      return reply.body.code !== 'browser.crashed' && reply;
    });
    assert.deepEqual(
      [down.status, down.body.code, down.body.retryable],
      [503, 'browser.down', true],
      down.text,
    );
    assert.match(down.body.detail!, /there are no file descriptors left: raise the limit of open files/);
    assert.ok(Number(down.headers.get('retry-after')) > 0);
    assert.equal((await ask('http')).status, 200);
    const told = (await service.log()).find(({ msg }) => msg === 'a browser does not start');
    assert.match(String(told?.why), /no file descriptors left/);
    limit(service, 4_096);
    await eventually(async () => (await ask('browser')).status === 200, 70_000);
  });

  test('shared memory: /readyz and the log say so and what to do, pages and pictures come', {
    skip: noMounts,
  }, async (t) => {
    const service = await started(t, { wrap: withShm('4m') });
    const target = await aTarget(t);
    await shown(service, target);
    const ready = await fetch(`${service.base}/readyz`);
    const { status, warnings } = (await ready.json()) as { status: string; warnings: readonly string[] };
    assert.deepEqual([ready.status, status], [200, 'ok']);
    assert.match(
      warnings.join(),
      /instead of shared memory, which is slower\. Give \/dev\/shm 512 MB or more \(shm_size\)/,
    );
    const running = (await service.log()).find(({ msg }) => msg === 'a browser is running');
    assert.match(String(running?.shared_memory), /too little/);
  });

  test('shared memory that others fill while a browser runs: pages and pictures come', {
    skip: noMounts,
  }, async (t) => {
    const service = await started(t, { wrap: withShm('600m') });
    const target = await aTarget(t);
    await shown(service, target);
    const inside = (...told: string[]) =>
      spawnSync('nsenter', ['-m', '-t', `${service.pid}`, ...told], { encoding: 'utf8' });
    inside('dd', 'if=/dev/zero', 'of=/dev/shm/all-of-it', 'bs=1M', 'count=700');
    assert.match(inside('df', '/dev/shm').stdout, /\s0\s+100%/);
    await shown(service, target);
    // Another browser then starts with full shared memory.
    for (const group of new Set(browserProcessesOf(service.pid).map(({ group }) => group))) killGroup(group);
    await eventually(async () => (await shot(service, target)).status === 200);
    const { warnings } = (await (await fetch(`${service.base}/readyz`)).json()) as { warnings: string[] };
    assert.match(warnings.join(), /instead of shared memory/);
  });
});

const shot = (service: Service, target: Target) =>
  service.scrape({ url: `${target.url}/page`, scraper: 'browser', screenshot: true });

async function shown(service: Service, target: Target): Promise<void> {
  const { status, body } = await shot(service, target);
  assert.deepEqual([status, body.errors], [200, []], JSON.stringify(body));
  assert.equal(typeof body.screenshot_url, 'string');
}

/** Limits the descriptors of a running process. */
const limit = ({ pid }: Service, most: number): void =>
  void execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${most}:`]);

const descriptorsOf = ({ pid }: Service): number => readdirSync(`/proc/${pid}/fd`).length;

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The process has ended meanwhile.
  }
}

async function started(t: TestContext, options: ServiceOptions = {}): Promise<Service> {
  const service = await startService({}, options);
  afterwards(t, () => service[Symbol.asyncDispose]());
  return service;
}

async function aTarget(t: TestContext): Promise<Target> {
  const target = await startTarget({ '/page': html('<p>hello') });
  afterwards(t, () => target[Symbol.asyncDispose]());
  return target;
}
