import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { startDnsServer } from '../../site/dns-server.ts';

const LONG = process.env.LONG === '1';

describe('problems of the process: descriptors, output, name servers, ports', { concurrency: 2 }, () => {
  const site = useSite();
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-process-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const works = async (service: Service) => {
    const { status, body } = await service.scrape({ url: `${site.url}/html/500000` });
    assert.equal(status, 200);
    assert.equal((await service.api('GET', `/api/v1/scrape/${body.id}/`)).status, 200);
  };

  test('without free descriptors: 503 or success, no busy loop, and recovery', async () => {
    const wrap = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'];
    await using service = await startService({}, { wrap });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = postOver(agent, service);
    // The connection to the service and one to the target stay open.
    assert.equal((await post(`${site.url}/html/2000`)).status, 200);
    const idle = Array.from({ length: 150 }, () => connect(service.port, '127.0.0.1').on('error', () => {}));
    await pause(500);
    const before = cpuMs(service.pid);
    await pause(1_000);
    assert.ok(cpuMs(service.pid) - before < 500, `${cpuMs(service.pid) - before} ms of CPU in a second`);
    const elsewhere = await post(`${site.url.replace('127.0.0.1', '127.0.0.2')}/html/2000`);
    assert.equal(elsewhere.status, 503);
    assert.match(elsewhere.text, /"code":"service\.unavailable"/);
    // Over the connection that there is; but a file for the content cannot be opened.
    const large = await post(`${site.url}/html/500000`);
    assert.equal(large.status, 503);
    assert.match(large.text, /"code":"service\.(storage|unavailable)"/);
    for (const socket of idle) socket.destroy();
    agent.destroy();
    await eventually(async () => (await service.scrape({ url: `${site.url}/html/500000` })).status === 200);
    await works(service);
    await service.stop();
  });

  for (const [name, command] of [
    ['closed', 'exec "$@" >&-'],
    ['full', 'exec "$@" >/dev/full'],
    ['a pipe whose reader has gone', 'mkfifo "$PIPE"; head -c 10 "$PIPE" >/dev/null & exec "$@" >"$PIPE"'],
  ] as const) {
    test(`stdout is ${name}: it works on, and ends with 0`, async () => {
      const env = { PIPE: join(folder, 'pipe') };
      await using service = await startService(env, { wrap: ['sh', '-c', command, 'sh'] });
      for (let n = 0; n < 3; n++) {
        await works(service);
        await pause(100);
      }
      await service.stop();
    });
  }

  test('an unhandled rejection is logged and the service continues; an uncaught exception ends it with code 1', async () => {
    const plant = join(folder, 'plant.mjs');
    writeFileSync(
      plant,
      `import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  process.on('SIGUSR2', () => void Promise.reject(new Error('planted rejection')));
  process.on('SIGHUP', () => { throw new Error('planted throw'); });
}`,
    );
    await using service = await startService({ NODE_OPTIONS: `--import=${plant}` });
    process.kill(service.pid, 'SIGUSR2');
    await eventually(async () => (await service.log()).some((line) => line.msg === 'unhandled rejection'));
    await works(service);
    const { body } = await service.scrape({ url: `${site.url}/html/500000` });
    process.kill(service.pid, 'SIGHUP');
    assert.deepEqual(await service.exited, { code: 1, signal: null });
    assert.match(await service.output(), /"level":"fatal".*planted throw/);
    await using again = await startService({}, { dataDir: service.dataDir });
    assert.equal((await again.api('GET', `/api/v1/scrape/${body.id}/`)).status, 200);
    await again.stop();
  });

  test('a second service on the same data is refused; the command line may work beside the first', async () => {
    await using service = await startService();
    const second = await service.cli(['serve'], { env: { SLUICE_PORT: '0' } });
    assert.equal(second.code, 1);
    assert.match(
      second.stderr,
      /^sluice: another Sluice service is running on .*: stop it first.*SLUICE_DATA_DIR/,
    );
    assert.equal(second.stdout, '');
    assert.equal((await service.cli(['users', 'list'])).code, 0);
    await works(service);
    await service.kill9();
    await using next = await startService({}, { dataDir: service.dataDir });
    await works(next);
    await next.stop();
  });

  test('a port that is taken: says so, and ends with 1', async () => {
    await using service = await startService();
    const dataDir = join(folder, 'other');
    const second = await service.cli(['serve'], { env: { SLUICE_DATA_DIR: dataDir } });
    assert.equal(second.code, 1);
    assert.match(second.stderr, new RegExp(`^sluice: .*${service.port}.*\\n$`));
    assert.match(second.stderr, /in use.*SLUICE_PORT/);
    await works(service);
    await service.stop();
  });

  test('dead name servers: scrapes end in time with an error, others are not affected, and it recovers', async () => {
    await using dns = await startDnsServer({ 'dead.test': { silent: true } });
    await using service = await startService({ SLUICE_DNS_SERVERS: dns.address });
    const { port } = new URL(site.url);
    const url = `http://dead.test:${port}/html/2000`;
    const begun = performance.now();
    let ended = 0;
    const waiting = Array.from({ length: 20 }, async () => {
      const reply = await service.scrape({ url, timeout_ms: 8_000 });
      ended++;
      return reply;
    });
    await works(service);
    assert.ok(ended < 20, 'others do not wait');
    for (const { status, body } of await Promise.all(waiting)) {
      assert.ok(status === 502 || status === 504, `${status}`);
      assert.match(body.code ?? '', /^(dns\.failed|timeout\.total|timeout\.attempt)$/);
      assert.equal(body.retryable, true);
    }
    assert.ok(performance.now() - begun < 30_000);
    dns.reply('dead.test', { addresses: ['127.0.0.1'] });
    await eventually(async () => (await service.scrape({ url, timeout_ms: 2_000 })).status === 200);
    await service.stop();
  });

  test('a long run does not grow', async (t) => {
    const rounds = LONG ? 60 : 2;
    await using service = await startService();
    const round = async () => {
      for (let n = 0; n < 20; n++)
        await Promise.all(
          Array.from({ length: 25 }, (_, i) =>
            service.scrape({ url: `${site.url}/html/${i === 0 ? 400_000 : 2_000}` }),
          ),
        );
      site.log.length = 0;
      return rssMb(service.pid);
    };
    for (let n = 0; n < (LONG ? 2 : 1); n++) await round();
    const early = await round();
    let late = 0;
    for (let n = 0; n < rounds; n++) late = await round();
    t.diagnostic(`${rounds * 500} scrapes: ${early.toFixed(0)} → ${late.toFixed(0)} MB resident`);
    assert.ok(late < early + 100, `${early} → ${late} MB`);
    await service.stop();
  });
});

function postOver(agent: Agent, service: Service) {
  return (url: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { authorization: `Api-Key ${service.key}`, 'content-type': 'application/json' };
      const call = request(`${service.base}/api/v1/scrape/`, { agent, method: 'POST', headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () => resolve({ status: answer.statusCode!, text }));
      });
      call.once('error', reject);
      call.end(JSON.stringify({ url, timeout_ms: 5_000 }));
    });
}

/** User and system time of a process so far. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  const perSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / perSecond;
}

function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
}
