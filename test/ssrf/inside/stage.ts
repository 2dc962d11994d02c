import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { freePort } from '../../helpers/free-port.ts';
import { responseProblem } from '../../helpers/openapi.ts';
import { type Service, startService, TEST_KEY } from '../../helpers/service.ts';
import type { Problem, ScrapeAnswer } from '../../helpers/wire-types.ts';
import { type DnsReply, type DnsServer, startDnsServer } from '../../site/dns-server.ts';
import { CLIENT, type Judge, startJudge } from './judge.ts';
import { everythingIsHere } from './network.ts';
import { PAGE, SECRET, startWorld, type World } from './world.ts';

const NAME_SERVER = '9.9.9.9';
/** What public names of the tests lead to. */
export const PUBLIC_V4 = '198.41.0.4';
export const PUBLIC_V6 = '2001:500:2::c';

export type Answer = {
  readonly status: number;
  readonly body: ScrapeAnswer & Partial<Problem>;
  readonly text: string;
};

interface Stage {
  readonly world: World;
  readonly dns: DnsServer;
  readonly judge: Judge;
  /** With the default configuration, but for the name server. */
  readonly service: Service;
  /** May reach 10.0.0.0/8, fd00::/8 and loopback, and listens on every address of the machine. */
  readonly open: Service;
}

let stage: Stage | null = null;
const agent = new Agent({ keepAlive: true, localAddress: CLIENT, maxSockets: 20 });

before(async () => {
  everythingIsHere();
  const world = await startWorld();
  const dns = await startDnsServer({}, { host: NAME_SERVER, port: 53 });
  const [one, two] = [await freePort(), await freePort()];
  const settings = { SLUICE_DNS_SERVERS: NAME_SERVER, SLUICE_ALLOW_ADDRESSES: undefined };
  const [service, open] = await Promise.all([
    startService({ ...settings, SLUICE_HOST: undefined }, { port: one }),
    startService(
      { ...settings, SLUICE_HOST: '0.0.0.0', SLUICE_ALLOW_ADDRESSES: '10.0.0.0/8,fd00::/8,127.0.0.0/8,::1' },
      { port: two },
    ),
  ]);
  stage = { world, dns, judge: startJudge([one, two]), service, open };
});
after(async () => {
  agent.destroy();
  await stage?.service.end();
  await stage?.open.end();
  await stage?.dns.close();
  await stage?.world.close();
});

export function here(): Stage {
  assert.ok(stage !== null);
  return stage;
}

/** A test after which the kernel must have counted nothing, and no listener of closed space have been reached. */
export function judged(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    const { judge, world } = here();
    judge.reset();
    world.hits.length = 0;
    await run();
    assert.deepEqual(world.hits, [], 'reached');
    assert.deepEqual(judge.packets(), {}, 'packets to non-public space');
  });
}

/** One scrape by the front door. */
export const scrape = (url: string, more: object = {}, service: Service = here().service): Promise<Answer> =>
  call('POST', '/api/v1/scrape/', { url, scraper: 'http', timeout_ms: 15_000, ...more }, service);

/** One call of the API. */
export function call<T = Answer['body']>(
  method: 'GET' | 'POST',
  path: string,
  value: object | null = null,
  service: Service = here().service,
): Promise<{ readonly status: number; readonly body: T; readonly text: string }> {
  const body = value === null ? '' : JSON.stringify(value);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Api-Key ${TEST_KEY}`,
      ...(value === null ? {} : { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(`${service.base}${path}`, { method, agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => {
        try {
          const parsed = JSON.parse(text);
          const status = answer.statusCode!;
          const mediaType = answer.headers['content-type']!.replace(/\s*;.*$/, '');
          assert.equal(responseProblem({ method, path, status, mediaType, body: parsed }), null, text);
          resolve({ status, body: parsed, text });
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Runs `work` on all of them, 20 at a time. */
export async function each<T>(
  list: readonly T[],
  work: (one: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const index = next++;
      await work(list[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
}

let names = 0;
/** A fresh name with these replies. */
export function named(...replies: readonly DnsReply[]): string {
  const name = `n${++names}.example`;
  here().dns.reply(name, ...replies);
  return name;
}

let told: unknown = null;
/** The one refusal: the same words for all, and nothing of a page. */
export function refused({ status, body, text }: Answer, what: string): void {
  assert.equal(status, 403, `${what}: ${text}`);
  assert.equal(body.code, 'policy.address', what);
  assert.ok(!text.includes(SECRET) && !text.includes(PAGE), what);
  assert.deepEqual(
    [body.content, body.status_code, body.final_url, body.headers, body.cookies, body.screenshot_url],
    [null, null, null, {}, [], null],
    what,
  );
  const words = {
    words: [body.type!.slice(-'#policy.address'.length), body.title, body.detail, body.retryable],
    errors: body.errors.map(({ code, message, details }) => [code, message, details]),
    outcome: body.router.outcome,
    verdict: body.router.verdict,
  };
  told ??= words;
  assert.deepEqual(words, told, what);
}

export function delivered({ status, body, text }: Answer, what: string): void {
  assert.equal(status, 200, `${what}: ${text}`);
  assert.equal(body.status_code, 200, what);
  assert.equal(body.content, PAGE, what);
}

export function problem(
  { status, body, text }: Answer,
  wanted: readonly [number, string],
  what: string,
): void {
  assert.deepEqual([status, body.code], wanted, `${what}: ${text}`);
  assert.ok(!text.includes(SECRET), what);
}
