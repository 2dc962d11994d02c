import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { startTarget, type Target } from '../adapters/browser/target.ts';
import { eventually, useService } from '../helpers/service.ts';
import { profileKey } from '../helpers/visitor.ts';
import { startBatch } from './job-calls.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const PROFILES = '/api/v1/profiles/';
const CREDENTIALS = { username: 'ann', password: 'right-password-4711' };
const FORM =
  '<title>Log in</title><h1>Log in</h1><form method="post"><input name="user"><input type="password" name="p"><button>Log in</button></form>';

/** `/account` is for whoever has a session; others are led to `/login`. Each log-in begins another session. */
async function startShop() {
  const logIns: (string | null)[] = [];
  const asked: string[] = [];
  const html = (response: ServerResponse, body: string, headers: Record<string, string> = {}) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
  const toLogIn = (response: ServerResponse) => void response.writeHead(302, { location: '/login' }).end();
  const target: Target = await startTarget({
    '/account': (request, response) => {
      asked.push(request.method!);
      const isKnown = /sid=session-of-ann-\d/.test(request.headers.cookie ?? '');
      if (isKnown) html(response, '<title>Account</title><p>Your orders: a bicycle and a lamp.</p>');
      else toLogIn(response);
    },
    // For other accounts than that of Ann.
    '/others': (_, response) => toLogIn(response),
    '/login': async (request: IncomingMessage, response) => {
      if (request.method === 'GET') return html(response, FORM);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const fields = new URLSearchParams(Buffer.concat(chunks).toString());
      logIns.push(fields.get('p'));
      if (fields.get('p') !== CREDENTIALS.password) return html(response, FORM);
      const cookie = `sid=session-of-ann-${logIns.length}; Path=/; HttpOnly; Max-Age=3600`;
      response.writeHead(303, { location: '/account', 'set-cookie': cookie }).end();
    },
  });
  return Object.assign(target, { logIns, asked });
}

describe('profiles: logging in again', { skip }, () => {
  const service = useService();
  let shop: Awaited<ReturnType<typeof startShop>>;
  let key: string;
  before(async () => {
    shop = await startShop();
    key = await profileKey(service);
  });
  after(() => shop?.[Symbol.asyncDispose]());

  const create = async (name: string, more: object = {}) => {
    const cookies = [{ name: 'sid', value: 'ended-session', domain: '127.0.0.1', path: '/' }];
    const state = { cookies, origins: [] };
    const body = { name, storage_state: state, credentials: CREDENTIALS, ...more };
    const made = await service.api('POST', PROFILES, { body, key });
    assert.equal(made.status, 201, made.text);
  };
  const stateOf = async (name: string) =>
    (await service.api<{ state: string }>('GET', `${PROFILES}${name}/`, { key })).body.state;
  const scrape = (path: string, name: string, more: object = {}, as = key) =>
    service.scrape(
      {
        ...{ url: shop.url + path, scraper: 'http', timeout_ms: 300_000 },
        scraper_options: { profile: { name, relogin: true } },
        ...more,
      },
      { key: as },
    );
  type Scraped = Awaited<ReturnType<typeof scrape>>;
  const attempts = ({ body }: Scraped) =>
    body.router.attempts!.map(({ n, scraper, outcome, error_code }) => [n, scraper, outcome, error_code]);
  const codes = ({ body }: Scraped) => body.errors.map(({ code }) => code);

  for (const scraper of ['http', 'browser', 'auto'])
    test(`${scraper}: logs in, and asks for the page again`, async () => {
      const name = `again-${scraper}`;
      await create(name);
      const before = shop.logIns.length;
      const profile = { name, relogin: true, save: scraper === 'browser' ? 'never' : 'on_success' };
      const done = await scrape('/account', name, { scraper, scraper_options: { profile } });
      assert.deepEqual([done.status, done.body.router.outcome], [200, 'ok'], done.text);
      assert.match(done.body.content!, /a bicycle/);
      const first = done.body.router.attempts![0]!.scraper;
      assert.deepEqual(attempts(done), [
        [1, first, 'rejected', 'target.blocked'],
        [2, 'browser', 'ok', null],
        [3, first, 'ok', null],
      ]);
      assert.match(done.text, /login page.* logged in; then .*returned the page\. 3 attempts/);
      assert.deepEqual(shop.logIns.slice(before), [CREDENTIALS.password]);
      assert.equal(await stateOf(name), 'ready');
      const record = await service.api('GET', `/api/v1/scrape/${done.body.id}/`, { key });
      for (const { text } of [done, record]) assert.doesNotMatch(text, /session-of-ann|ended-session|4711/);
      // The session is kept.
      assert.deepEqual(attempts(await scrape('/account', name)), [[1, 'http', 'ok', null]]);
    });

  test('refused credentials are sent once, until they are changed', async () => {
    await create('wrong', { credentials: { ...CREDENTIALS, password: 'wrong-password' } });
    const before = shop.logIns.length;
    const failed = await scrape('/account', 'wrong');
    assert.deepEqual([failed.status, failed.body.router.outcome], [200, 'blocked'], failed.text);
    assert.deepEqual(codes(failed), ['target.blocked', 'login.failed']);
    assert.deepEqual(attempts(failed).slice(1), [[2, 'browser', 'failed', 'login.failed']]);
    assert.equal(await stateOf('wrong'), 'logged_out');
    const rested = await scrape('/account', 'wrong');
    assert.deepEqual([codes(rested), attempts(rested).length], [['target.blocked', 'login.failed'], 1]);
    assert.match(rested.body.errors[1]!.message, /less than an hour ago/);
    assert.deepEqual(shop.logIns.slice(before), ['wrong-password']);
    await service.api('PATCH', `${PROFILES}wrong/`, { body: { credentials: CREDENTIALS }, key });
    assert.equal((await scrape('/account', 'wrong')).body.router.outcome, 'ok');
  });

  test('scrapes at once, also of others, log in once', async () => {
    await create('many', { shared: true });
    const other = await profileKey(service);
    const before = shop.logIns.length;
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, i) => scrape('/account', 'many', {}, i % 2 === 0 ? key : other)),
    );
    assert.deepEqual([...new Set(all.map(({ body }) => body.router.outcome))], ['ok']);
    assert.equal(shop.logIns.length - before, 1);
  });

  test('items of jobs log in with a profile that is logged out', async () => {
    await create('job');
    await scrape('/account', 'job', { scraper_options: { profile: 'job' } });
    assert.equal(await stateOf('job'), 'logged_out');
    const profile = { name: 'job', relogin: true };
    const requests = [1, 2].map((n) => ({ url: `${shop.url}/account?${n}`, scraper: 'http' }));
    const before = shop.logIns.length;
    const id = await startBatch(service, { requests, defaults: { scraper_options: { profile } } }, key);
    const { counts } = await eventually(async () => {
      type Job = { state: string; counts: Record<string, number> };
      const { body } = await service.api<Job>('GET', `/api/v1/jobs/${id}/`, { key });
      return body.state === 'done' ? body : null;
    });
    assert.deepEqual([counts.ok, shop.logIns.length - before], [2, 1]);
    assert.equal(await stateOf('job'), 'ready');
  });

  test('items whose action logs in start with a profile that is logged out, until their credentials are refused', async () => {
    const run = async (name: string, password: string, count: number) => {
      await create(name, { credentials: { ...CREDENTIALS, password } });
      await scrape('/account', name, { scraper_options: { profile: name } });
      assert.equal(await stateOf(name), 'logged_out');
      const requests = Array.from({ length: count }, (_, n) => ({ url: `${shop.url}/account?${name}-${n}` }));
      const defaults = {
        ...{ scraper: 'browser', timeout_ms: 300_000, scraper_options: { profile: name } },
        page_actions: [{ login: name }],
      };
      const before = shop.logIns.length;
      const id = await startBatch(service, { requests, defaults, concurrency: 1, retries: 0 }, key);
      const job = `/api/v1/jobs/${id}/`;
      const { counts } = await eventually(async () => {
        type Job = { state: string; counts: Record<string, number> };
        const { body } = await service.api<Job>('GET', job, { key });
        return body.state === 'done' ? body : null;
      });
      const { text } = await service.api('GET', `${job}results/`, { key });
      return { counts, text, typed: shop.logIns.slice(before) };
    };
    const right = await run('acts', CREDENTIALS.password, 1);
    assert.deepEqual([right.counts.ok, right.typed], [1, [CREDENTIALS.password]], right.text);
    assert.equal(await stateOf('acts'), 'ready');
    const wrong = await run('acts-wrong', 'wrong-password', 2);
    assert.deepEqual([wrong.counts.failed, wrong.typed], [2, ['wrong-password']], wrong.text);
    assert.match(wrong.text, /profile\.logged_out/);
    assert.equal(await stateOf('acts-wrong'), 'logged_out');
  });

  test('a page that asks again ends as without it, and no scrape logs in for it once more', async () => {
    await create('other');
    const before = shop.logIns.length;
    const refused = await scrape('/others', 'other');
    assert.deepEqual(codes(refused), ['target.blocked', 'target.blocked']);
    assert.deepEqual(
      attempts(refused).map(([, scraper, outcome]) => [scraper, outcome]),
      [
        ['http', 'rejected'],
        ['browser', 'ok'],
        ['http', 'rejected'],
      ],
    );
    assert.equal(await stateOf('other'), 'logged_out');
    assert.deepEqual(codes(await scrape('/others', 'other')), ['target.blocked', 'login.failed']);
    assert.equal(shop.logIns.length - before, 1);
  });

  test('what cannot be is refused, and what is sent once is not sent again', async () => {
    await create('plain', { credentials: null });
    const asked = shop.asked.length;
    const none = await scrape('/account', 'plain');
    const { code, pointer } = none.body.errors[0]!;
    assert.deepEqual(
      [none.status, code, pointer],
      [422, 'profile.credentials', '/scraper_options/profile/relogin'],
    );
    assert.equal(shop.asked.length, asked);
    await create('post');
    const before = shop.logIns.length;
    const posted = await scrape('/account', 'post', { method: 'POST', data: 'a=1' });
    assert.deepEqual([codes(posted), shop.asked.slice(asked)], [['target.blocked'], ['POST']]);
    assert.equal(shop.logIns.length, before);
  });
});
