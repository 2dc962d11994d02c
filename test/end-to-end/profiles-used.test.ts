import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { noBinding } from '../adapters/impersonate/kit.ts';
import { listen } from '../helpers/free-port.ts';
import { eventually, useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import { newUser, signIn, type Visitor } from '../helpers/visitor.ts';
import { startBatch } from './job-calls.ts';

const PROFILES = '/api/v1/profiles/';
const NO_BROWSER = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const SCRAPERS = [
  ['http', false],
  ['http_impersonate', noBinding],
  ['browser', NO_BROWSER],
] as const;

const FORM =
  '<title>Log in</title><h1>Log in</h1><form method="post"><input name="user"><input type="password" name="p"><button>Log in</button></form>';
const STORES = `<p id="out">…</p><script>
const open = indexedDB.open('app', 1);
open.onupgradeneeded = () => open.result.createObjectStore('tokens');
open.onsuccess = () => {
  const store = open.result.transaction('tokens', 'readwrite').objectStore('tokens');
  const get = store.get('t');
  get.onsuccess = () => {
    const seen = [localStorage.getItem('token'), sessionStorage.getItem('s'), get.result ?? null];
    localStorage.setItem('token', 'local-token-1');
    sessionStorage.setItem('s', 'session-1');
    store.put('database-token-1', 't').onsuccess = () => { document.title = JSON.stringify(seen); };
  };
};
</script>`;

const SHELL = `<title>Shop</title><div id="root"></div><script>
fetch('/orders').then(() => { root.innerHTML = '<h1>Orders</h1><p>A bicycle and a lamp are on their way to you.</p>'; });
</script>`;

/** A site whose pages tell the cookies that came with their requests. */
async function startCookieSite() {
  const requests: { host: string; path: string; cookie: string; language: string; agent: string }[] = [];
  let turn = 0;
  /** Answers the request to `/held`. */
  let release: (() => void) | null = null;
  let port = 0;
  const answer = (
    path: string,
    { headers }: IncomingMessage,
  ): [number, Record<string, string | string[]>, string] => {
    const other = `http://localhost:${port}`;
    switch (path) {
      case '/renew':
        turn += 1;
        return [200, { 'set-cookie': `sid=renewed-value-${turn}; Path=/; HttpOnly` }, '<p>A page.</p>'];
      case '/each':
        turn += 1;
        return [
          200,
          { 'set-cookie': [`sid=value-of-${turn}; Path=/`, `seen-${turn}=${turn}; Path=/`] },
          '<p>A page.</p>',
        ];
      case '/shell':
        return [200, {}, SHELL];
      case '/away':
        return [302, { location: `${other}/landed` }, ''];
      case '/into':
        return [302, { location: `/see;${headers.cookie}` }, ''];
      case '/parts':
        return [200, {}, `<p>A page.</p><img src="${other}/part.png"><iframe src="${other}/frame"></iframe>`];
      case '/private':
        return /sid=/.test(headers.cookie ?? '') && !headers.cookie!.includes('stale')
          ? [200, {}, '<title>Account</title><p>Your orders are here.</p>']
          : [401, {}, FORM];
      case '/stores':
        return [200, {}, STORES];
      default:
        return [200, {}, '<p>A page.</p>'];
    }
  };
  const server: Server = createServer((request, response) => {
    const { host = '', cookie = '' } = request.headers;
    const path = new URL(request.url!, 'http://x').pathname;
    const { 'accept-language': language = '', 'user-agent': agent = '' } = request.headers;
    requests.push({ host: host.split(':')[0]!, path, cookie, language, agent });
    if (path === '/held') {
      release = () => response.writeHead(401, { 'content-type': 'text/html' }).end(FORM);
      return;
    }
    const [status, headers, body] = answer(path, request);
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  });
  port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    other: `http://localhost:${port}`,
    requests,
    last: (path: string) => requests.findLast((request) => request.path === path)!,
    held: () => release,
    close: () => server.close(),
  };
}

describe('profiles: using them', () => {
  const service = useService();
  let site: Awaited<ReturnType<typeof startCookieSite>>;
  let ann: Visitor;
  let key: string;
  const keyOf = async (visitor: Visitor, ...scopes: readonly string[]) =>
    (await visitor.call<{ key: string }>('POST', '/api/v1/keys/', { body: { name: 'k', scopes } })).body.key;
  before(async () => {
    site = await startCookieSite();
    ann = await signIn(service, (await newUser(service)).email);
    key = await keyOf(ann, 'scrape', 'read', 'jobs', 'profiles', 'profiles_export');
  });
  after(() => site?.close());

  const SECRET = 'first-secret-value';
  const create = async (name: string, more: object = {}) => {
    const cookies = [{ name: 'sid', value: SECRET, domain: '127.0.0.1', path: '/' }];
    const body = { name, storage_state: { cookies, origins: [] }, ...more };
    const made = await service.api('POST', PROFILES, { body, key });
    assert.equal(made.status, 201, made.text);
  };
  const valuesOf = async (name: string) => {
    type Exported = { storage_state: { cookies: { name: string; value: string }[]; origins: object[] } };
    return (await service.api<Exported>('GET', `${PROFILES}${name}/export/`, { key })).body.storage_state;
  };
  const stateOf = async (name: string) =>
    (await service.api<{ state: string; used_at: string }>('GET', `${PROFILES}${name}/`, { key })).body;
  const scrape = (path: string, profile: unknown, more: Record<string, unknown> = {}, as = key) => {
    const { scraper_options = {}, ...rest } = more;
    const url = path.startsWith('/') ? site.url + path : path;
    const body = {
      url,
      scraper: 'http',
      scraper_options: { profile, ...(scraper_options as object) },
      ...rest,
    };
    return service.scrape(body, { key: as });
  };

  for (const [scraper, skip] of SCRAPERS)
    test(`${scraper}: sends the cookies, keeps what the site renews, and shows no value`, {
      skip,
    }, async () => {
      const name = `renew-${scraper}`;
      await create(name);
      const done = await scrape('/renew', name, { scraper });
      assert.deepEqual([done.status, done.body.router.outcome], [200, 'ok'], done.text);
      assert.equal(site.last('/renew').cookie, `sid=${SECRET}`);
      const renewed = (await valuesOf(name)).cookies.map(({ value }) => value);
      assert.match(renewed.join(), /^renewed-value-\d+$/);
      assert.equal((await stateOf(name)).state, 'ready');
      const record = await service.api('GET', `/api/v1/scrape/${done.body.id}/`, { key });
      for (const text of [done.text, record.text]) {
        assert.equal(text.includes(SECRET), false, text);
        assert.equal(text.includes(renewed[0]!), false, text);
      }
      assert.deepEqual(
        done.body.cookies.map(({ name, value }) => [name, value]),
        [['sid', '***']],
      );
      assert.match(JSON.stringify(done.body.headers), /"sid=\*\*\*; Path=/);
      await scrape('/see', { name, save: 'never' }, { scraper });
      assert.equal(site.last('/see').cookie, `sid=${renewed[0]}`);
    });

  for (const [scraper, skip] of SCRAPERS)
    test(`${scraper}: no cookie of the profile goes to another site`, { skip }, async () => {
      const name = `away-${scraper}`;
      await create(name);
      const before = site.requests.length;
      const refused = await scrape(`${site.other}/landed`, name, { scraper });
      assert.deepEqual([refused.status, refused.body.errors[0]!.code], [403, 'profile.site']);
      assert.equal(site.requests.length, before);
      const moved = await scrape('/away', name, { scraper });
      assert.equal(moved.status, 200, moved.text);
      assert.equal(site.last('/away').cookie, `sid=${SECRET}`);
      assert.partialDeepStrictEqual(site.last('/landed'), { host: 'localhost', cookie: '' });
      await scrape('/parts', name, {
        scraper,
        ...(scraper === 'browser' ? { wait_for_load_state: 'load' } : {}),
      });
      const there = site.requests.slice(before).filter(({ host }) => host === 'localhost');
      if (scraper === 'browser')
        assert.equal(
          there.some(({ path }) => path === '/part.png'),
          true,
        );
      assert.deepEqual([...new Set(there.map(({ cookie }) => cookie))], ['']);
    });

  test('only who may uses it: other users if it is shared, with the scope', async () => {
    await create('mine');
    await create('ours', { shared: true });
    const bert = await createUser(service);
    const bertKey = await keyOf(await signIn(service, bert.email), 'scrape', 'read', 'profiles');
    const before = site.requests.length;
    const codes = async (...args: Parameters<typeof scrape>) => {
      const { status, body } = await scrape(...args);
      return [status, body.errors[0]?.code];
    };
    assert.deepEqual(await codes('/see', 'mine', {}, bertKey), [422, 'profile.unknown']);
    assert.deepEqual(await codes('/see', 'ours', {}, bert.key), [403, 'auth.scope']);
    const viewer = await signIn(service, (await newUser(service, { role: 'viewer' })).email);
    const body = { url: `${site.url}/see`, scraper: 'http', scraper_options: { profile: 'ours' } };
    assert.equal((await viewer.call('POST', '/api/v1/scrape/', { body })).status, 403);
    assert.equal(site.requests.length, before);
    assert.deepEqual(await codes('/see', 'ours', {}, bertKey), [200, undefined]);
    assert.equal(site.last('/see').cookie, `sid=${SECRET}`);
    const audit = await service.api<{ items: { action: string; actor: { user_id: string } }[] }>(
      'GET',
      `/api/v1/audit/?action=profile.used&user_id=${bert.id}`,
    );
    assert.equal(audit.body.items.length, 1);
    const both = await scrape('/see', 'mine', {
      scraper_options: {
        storage_state: { cookies: [{ name: 'a', value: 'b', domain: 'a.test', path: '/' }] },
      },
    });
    assert.deepEqual([both.status, both.body.errors![0]!.pointer], [400, '/scraper_options/storage_state']);
  });

  test('only its owner runs scripts with a shared one, or takes it through a proxy of their own', {
    skip: NO_BROWSER,
  }, async () => {
    await create('scripted', { shared: true });
    const bert = await signIn(service, (await newUser(service)).email);
    const bertKey = await keyOf(bert, 'scrape', 'read', 'jobs', 'profiles');
    const before = site.requests.length;
    const script = { evaluate: 'Array.from(document.cookie)' };
    const inBrowser = (...page_actions: readonly object[]) => ({ scraper: 'browser', page_actions });
    for (const [more, pointer] of [
      [inBrowser({ wait: 1 }, script), '/page_actions/1'],
      [inBrowser({ type: 'if', selector: 'b', else: [script] }), '/page_actions/0/else/0'],
      [inBrowser({ wait_for_function: 'true' }), '/page_actions/0'],
      [{ proxy: { server: 'http://127.0.0.1:9' } }, '/proxy'],
    ] as const) {
      const { status, body } = await scrape('/see', 'scripted', more, bertKey);
      const { code, pointer: at } = body.errors[0]!;
      assert.deepEqual([status, code, at], [403, 'profile.owner', pointer]);
    }
    const requests = [
      { url: `${site.url}/see`, ...inBrowser(script), scraper_options: { profile: 'scripted' } },
    ];
    const job = `/api/v1/jobs/${await startBatch(service, { requests }, bertKey)}/`;
    const results = await eventually(async () => {
      const { body } = await service.api<{ state: string }>('GET', job, { key: bertKey });
      return body.state === 'done' ? await service.api('GET', `${job}results/`, { key: bertKey }) : null;
    });
    assert.match(results.text, /profile\.owner/);
    assert.equal(site.requests.length, before);
    const own = await scrape('/see', 'scripted', inBrowser(script));
    assert.equal(own.body.router.outcome, 'ok', own.text);
  });

  test('many scrapes at once, each of which gets another cookie, lose nothing', async () => {
    await create('busy');
    const before = site.requests.length;
    const all = await Promise.all(Array.from({ length: 50 }, () => scrape('/each', 'busy')));
    assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
    assert.equal(site.requests.length - before, 50);
    const warnings = all.flatMap(({ body }) => body.router.warnings.map(({ code }) => code));
    const told = warnings.filter((code) => code !== 'proxy.direct');
    assert.deepEqual([...new Set(told)], ['profile.conflict']);
    // The first one that was kept met no other value.
    assert.ok(told.length < 50);
    const { cookies } = await valuesOf('busy');
    const seen = cookies.filter(({ name }) => name.startsWith('seen-'));
    assert.deepEqual([seen.length, cookies.length], [50, 51]);
    assert.match(cookies.find(({ name }) => name === 'sid')!.value, /^value-of-\d+$/);
  });

  test('the identity holds for requests that do not say otherwise', async () => {
    await create('visitor', { identity: { user_agent: 'Visitor/1', locale: 'de-CH' } });
    await scrape('/who', 'visitor');
    assert.partialDeepStrictEqual(site.last('/who'), { agent: 'Visitor/1', language: 'de-CH' });
    await scrape('/who', 'visitor', { scraper_options: { user_agent: 'Me/2' } });
    assert.equal(site.last('/who').agent, 'Me/2');
  });

  test('auto: the browser that a page needs is the same visitor', { skip: NO_BROWSER }, async () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64) Visitor/3';
    await create('walker', { identity: { user_agent: agent, locale: 'de-CH' } });
    const { body, text } = await scrape('/shell', 'walker', { scraper: 'auto' });
    assert.match(body.content!, /A bicycle/, text);
    assert.equal(body.router.scraper, 'browser');
    for (const path of ['/shell', '/orders'])
      assert.partialDeepStrictEqual(site.last(path), { cookie: `sid=${SECRET}`, agent });
    assert.match(site.last('/orders').language, /^de-CH/);
    assert.equal((await stateOf('walker')).state, 'ready');
  });

  test('a page that asks to log in marks it; new values make it ready again', async () => {
    await create('gone');
    assert.equal((await scrape('/private', 'gone')).body.router.outcome, 'ok');
    const cookies = [{ name: 'sid', value: 'stale-value', domain: '127.0.0.1', path: '/' }];
    const change = { storage_state: { cookies, origins: [] } };
    await service.api('PATCH', `${PROFILES}gone/`, { body: change, key });
    const blocked = await scrape('/private', 'gone');
    assert.equal(blocked.body.router.outcome, 'blocked', blocked.text);
    assert.equal((await stateOf('gone')).state, 'logged_out');
    // A single scrape may log in, so it goes on, also one that nobody waits for.
    const [url, scraper_options] = [`${site.url}/private?later`, { profile: 'gone' }];
    const accepted = await service.scrape(
      { url, scraper: 'http', scraper_options },
      { key, headers: { prefer: 'respond-async' } },
    );
    const later = `/api/v1/scrape/${accepted.body.id}/?wait_ms=60000`;
    type Record = { router: { outcome: string } };
    assert.equal((await service.api<Record>('GET', later, { key })).body.router.outcome, 'blocked');
    // The items of a job do not start with it.
    const before = site.requests.length;
    const requests = [
      { url: `${site.url}/private?1`, scraper: 'http', scraper_options: { profile: 'gone' } },
    ];
    const job = await service.api<{ id: string }>('POST', '/api/v1/batches/', { body: { requests }, key });
    const results = await eventually(async () => {
      const { body } = await service.api<{ state: string }>('GET', `/api/v1/jobs/${job.body.id}/`, { key });
      if (body.state !== 'done') return null;
      return await service.api('GET', `/api/v1/jobs/${job.body.id}/results/`, { key });
    });
    assert.match(results.text, /profile\.logged_out/);
    assert.equal(site.requests.length, before);
    cookies[0]!.value = 'fresh-value';
    await service.api('PATCH', `${PROFILES}gone/`, { body: change, key });
    assert.equal((await stateOf('gone')).state, 'ready');
  });

  test('a page that was asked for with older values does not mark it', async () => {
    await create('raced');
    const scraped = scrape('/held', 'raced');
    const release = await eventually(() => site.held());
    const cookies = [{ name: 'sid', value: 'fresh-value', domain: '127.0.0.1', path: '/' }];
    await service.api('PATCH', `${PROFILES}raced/`, {
      body: { storage_state: { cookies, origins: [] } },
      key,
    });
    release();
    assert.equal((await scraped).body.router.outcome, 'blocked');
    assert.equal((await stateOf('raced')).state, 'ready');
  });

  test('a job goes on with a logged-out profile, or waits until it is ready again', async () => {
    await create('later');
    const state = (value: string) => ({
      storage_state: { cookies: [{ name: 'sid', value, domain: '127.0.0.1', path: '/' }], origins: [] },
    });
    await service.api('PATCH', `${PROFILES}later/`, { body: state('stale-value'), key });
    type Job = { state: string; counts: Record<string, number>; waiting: { reason: string; until: string } };
    const batch = async (path: string, onLoggedOut: string) => {
      const requests = [1, 2, 3].map((n) => ({ url: `${site.url}${path}?${n}` }));
      const defaults = { scraper: 'http', scraper_options: { profile: 'later' } };
      const body = { requests, defaults, on_logged_out: onLoggedOut, concurrency: 1 };
      const started = await service.api<{ id: string }>('POST', '/api/v1/batches/', { body, key });
      assert.equal(started.status, 202, started.text);
      return started.body.id;
    };
    const when = (id: string, is: (job: Job) => boolean) =>
      eventually(async () => {
        const { body } = await service.api<Job>('GET', `/api/v1/jobs/${id}/`, { key });
        return is(body) ? body : null;
      });
    const asked = () => site.requests.filter(({ path }) => path === '/private').length;
    const before = asked();
    const waits = await batch('/private', 'wait');
    // The first item finds the page with the log-in, and the others do not ask for theirs.
    const { waiting, counts } = await when(waits, ({ waiting }) => waiting?.reason === 'profile');
    assert.ok(Date.parse(waiting.until) > Date.now());
    assert.deepEqual([counts.queued, counts.failed, asked() - before], [3, 0, 1]);
    const goesOn = await batch('/see', 'continue');
    const done = await when(goesOn, ({ state }) => state === 'done');
    assert.equal(done.counts.ok, 3);
    assert.equal(site.last('/see').cookie, 'sid=stale-value');
    assert.equal((await stateOf('later')).state, 'logged_out');
    await service.api('PATCH', `${PROFILES}later/`, { body: state('fresh-value'), key });
    const ended = await when(waits, ({ state }) => state === 'done');
    assert.deepEqual([ended.counts.ok, ended.counts.failed], [3, 0]);
    assert.equal(asked() - before, 4);
  });

  test('browser: localStorage and IndexedDB last, sessionStorage does not', {
    skip: NO_BROWSER,
  }, async () => {
    await create('stores', { sites: ['127.0.0.1'], storage_state: undefined });
    const seen = async () => {
      const { body, text } = await scrape('/stores', 'stores', {
        scraper: 'browser',
        page_actions: [{ wait_for_function: 'document.title !== ""' }, { evaluate: 'document.title' }],
      });
      assert.equal(body.router.outcome, 'ok', text);
      return text;
    };
    assert.match(await seen(), /\[null,null,null\]/);
    assert.equal((await valuesOf('stores')).origins.length, 1);
    const again = await seen();
    assert.match(again, /\[\\"\*\*\*\\",null,\\"\*\*\*\\"\]/);
    const shown = JSON.stringify(await valuesOf('stores'));
    for (const token of ['local-token-1', 'database-token-1']) assert.equal(shown.includes(token), true);
  });

  test('a value in an address is not told', async () => {
    const cookies = [
      { name: 'lang', value: 'en-US', domain: '127.0.0.1', path: '/' },
      { name: 'sid', value: '0123456789abcdef', domain: '127.0.0.1', path: '/' },
    ];
    await create('moved', { storage_state: { cookies, origins: [] } });
    const { text, body } = await scrape('/into', 'moved');
    assert.equal(body.final_url, `${site.url}/see;lang=en-US;%20sid=***`, text);
    assert.equal(text.includes('0123456789abcdef'), false, text);
  });

  test('browser: evaluate gets no value of its cookies in a result', { skip: NO_BROWSER }, async () => {
    const token = 'token-9f8e7d6c5b4a"ü';
    const value = encodeURIComponent(JSON.stringify({ name: 'ann', token }));
    const cookies = [{ name: 'sid', value, domain: '127.0.0.1', path: '/' }];
    await create('peek', { storage_state: { cookies, origins: [] } });
    const script = `(({ cookie }) => {
      const decoded = decodeURIComponent(cookie);
      return { cookie, decoded, base64: btoa(cookie), token: JSON.parse(decoded.slice(4)).token, all: ["x" + cookie] };
    })(document)`;
    const { text, body } = await scrape('/see', 'peek', {
      scraper: 'browser',
      page_actions: [{ evaluate: script }],
    });
    assert.equal(body.router.outcome, 'ok', text);
    const [{ result }] = body.scraper_data.actions as [{ result: Record<string, unknown> }];
    assert.match(result.base64 as string, /^.{0,8}\*\*\*.{0,8}$/);
    assert.deepEqual(
      { ...result, base64: '' },
      { cookie: 'sid=***', decoded: 'sid=***', base64: '', token: '***', all: ['xsid=***'] },
    );
    assert.doesNotMatch(text, /9f8e7d6c/);
  });
});
