import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { freePort } from '../../helpers/free-port.ts';
import { startProxy } from '../../helpers/proxy-server.ts';
import { type RemoteProcess, startChromium, startPlaywrightServer } from '../../helpers/remote-browser.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

interface RemoteState {
  readonly name: string;
  readonly state: string;
  readonly trouble: string | null;
  readonly version: string | null;
  readonly slots: { readonly total: number; readonly used: number; readonly waiting: number };
  readonly pages_served: number;
  readonly failures: number;
}

/** No address of the public internet, and not allowed by the configuration of the tests. */
const FORBIDDEN = 'http://10.255.255.1/';

/** The same for both kinds. Each has a test file, because a file has one service and a minute. */
export const describeRemoteBrowser = (kind: 'cdp' | 'playwright') =>
  describe(`a remote browser of the kind ${kind}`, { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-remote-test-'));
    const file = join(folder, 'browsers.yaml');
    const held = new Set<() => void>();
    let service: Service;
    let target: Target;
    let remote: RemoteProcess;
    let port: number;
    let guard: number;

    const startRemote = () => (kind === 'cdp' ? startChromium(port) : startPlaywrightServer({ port }));
    const write = (...browsers: object[]) => writeFileSync(file, JSON.stringify(browsers));
    const one = (more: object = {}) => ({
      name: 'pool-a',
      kind,
      url: remote.url,
      slots: 2,
      types: ['chromium', 'chrome'],
      ...more,
    });
    const states = async () =>
      (await service.api<{ browsers: { remote: RemoteState[] } }>('GET', '/api/v1/system/')).body.browsers
        .remote;
    const stateOf = async (name = 'pool-a') => (await states()).find((each) => each.name === name);
    const isReady = async () => (await stateOf())?.state === 'ready';
    const use = async (...browsers: object[]) => {
      write(...browsers);
      process.kill(service.pid, 'SIGHUP');
      const names = JSON.stringify(browsers.map((browser) => (browser as { name: string }).name));
      await eventually(
        async () => JSON.stringify((await states()).map(({ name }) => name)) === names,
        10_000,
      );
    };
    const scrape = (path: string, more: object = {}) =>
      service.scrape({
        url: new URL(path, target.url).href,
        scraper: 'browser',
        timeout_ms: 40_000,
        ...more,
      });

    before(async () => {
      target = await startTarget({
        '/page': html(
          '<title>a</title><p id=p>old</p><iframe srcdoc="a" id=f></iframe><script>p.textContent = "made by script " + navigator.userAgent + " WebRTC " + typeof RTCPeerConnection + " " + typeof f.contentWindow.RTCPeerConnection</script>',
          200,
          { 'set-cookie': 'a=1' },
        ),
        '/links': html(`<p>Here.</p><img src="${FORBIDDEN}a.png"><script>fetch("${FORBIDDEN}b")</script>`),
        '/form': html('<button onclick="document.body.append(\'clicked\')">press</button>'),
        '/echo': (request, response) =>
          void response.setHeader('content-type', 'text/html').end(`<p>${JSON.stringify(request.headers)}`),
        '/to-inside': (_, response) => void response.writeHead(302, { location: FORBIDDEN }).end(),
        '/json': (_, response) =>
          void response.setHeader('content-type', 'application/json').end('{"a":[1,2]}'),
        '/locked': (_, response) =>
          void response
            .writeHead(401, { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="x"' })
            .end('<p>Who are you?'),
        '/asks-locked': html(
          '<p id=p></p><script>fetch("/locked").then(({ status }) => { p.textContent = "got " + status })</script>',
        ),
        '/held': (_, response) => {
          held.add(() => response.setHeader('content-type', 'text/html').end('<p>At last.'));
        },
      });
      port = await freePort();
      guard = await freePort();
      remote = await startRemote();
      write(one());
      service = await startService({
        SLUICE_BROWSERS: file,
        SLUICE_GUARD_URL: `http://127.0.0.1:${guard}`,
        // So that no browser of this machine can take its place.
        SLUICE_BROWSER_SLOTS: '1',
      });
      await eventually(isReady);
    });
    after(async () => {
      await service?.end();
      await remote?.kill();
      await target?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    });

    test('scrapes, with cookies, actions and a screenshot', async () => {
      const served = (await stateOf())!.pages_served;
      const { status, body, text } = await scrape('/page', {
        screenshot: true,
        cookies: [{ name: 'mine', value: '7' }],
      });
      assert.equal(status, 200, text);
      assert.match(body.content!, /made by script Mozilla/);
      assert.doesNotMatch(body.content!, /Headless/);
      assert.match(body.content!, /WebRTC undefined undefined/);
      assert.deepEqual(body.cookies.map(({ name }) => name).sort(), ['a']);
      assert.match(body.screenshot_url!, /^http/);
      assert.deepEqual(body.errors, []);
      const acted = await scrape('/form', { page_actions: [{ type: 'click', selector: 'button' }] });
      assert.match(acted.body.content!, /clicked/, acted.text);
      const echoed = await scrape('/echo', { cookies: [{ name: 'mine', value: '7' }] });
      assert.doesNotMatch(echoed.body.content!, /Headless/i);
      assert.match(echoed.body.content!, /sec-ch-ua/);
      assert.match(echoed.body.content!, /mine=7/);
      assert.doesNotMatch(echoed.body.content!, /proxy-auth/i);
      assert.equal((await stateOf())!.pages_served, served + 3);
    });

    test('serves a type that this machine may not have', async () => {
      const served = (await stateOf())!.pages_served;
      const { body, text } = await scrape('/echo', { browser_type: 'chrome' });
      assert.match(body.content!, /sec-ch-ua.*Google Chrome/, text);
      assert.equal((await stateOf())!.pages_served, served + 1);
    });

    const checkBodies = async () => {
      const json = await scrape('/json');
      assert.equal(json.body.content, '{"a":[1,2]}', json.text);
      const locked = await scrape('/locked', { timeout_ms: 15_000 });
      assert.deepEqual(
        [locked.body.status_code, locked.body.router.outcome],
        [401, 'target_error'],
        locked.text,
      );
      assert.match(locked.body.content!, /Who are you/);
      const asks = await scrape('/asks-locked', { wait_for_selector: '#p:not(:empty)', timeout_ms: 15_000 });
      assert.match(asks.body.content!, /got 401/, asks.text);
    };

    test('delivers JSON, and pages that ask for a password', checkBodies);

    test('goes through the proxy of the scrape', async () => {
      await using proxy = await startProxy({ auth: ['u', 'p'] });
      const { body, text } = await scrape('/echo', {
        proxy: { server: `http://127.0.0.1:${proxy.port}`, username: 'u', password: 'p' },
      });
      assert.equal(body.status_code, 200, text);
      assert.deepEqual([...new Set(proxy.targets)], [new URL(target.url).host]);
    });

    test('is told in the metrics', async () => {
      const { text } = await service.api<string>('GET', '/metrics');
      assert.match(text, /^sluice_remote_browser_up\{browser="pool-a"\} 1$/m);
      assert.match(text, /^sluice_remote_browser_slots\{browser="pool-a"\} 2$/m);
    });

    test('reaches no address that the guard forbids', async () => {
      for (const url of [FORBIDDEN, `${target.url}/to-inside`, service.base, `http://127.0.0.1:${guard}/`]) {
        const { body } = await service.scrape({ url, scraper: 'browser', timeout_ms: 20_000 });
        assert.equal(body.errors[0]?.code, 'policy.address', JSON.stringify(body));
      }
      const { body } = await scrape('/links');
      const warning = body.router.warnings.find(({ code }) => code === 'egress.blocked');
      assert.match(JSON.stringify(warning), /10\.255\.255\.1/);
    });

    test('never has more scrapes than slots, and a caller who leaves frees one', async () => {
      const leaving = new AbortController();
      const first = scrape('/held');
      const second = service
        .scrape(
          { url: `${target.url}/held`, scraper: 'browser', timeout_ms: 40_000 },
          { signal: leaving.signal },
        )
        .catch((error: Error) => error.name);
      await eventually(() => held.size === 2);
      const third = scrape('/page');
      await eventually(async () => (await stateOf())!.slots.waiting === 1, 10_000);
      assert.equal((await stateOf())!.slots.used, 2);
      leaving.abort();
      assert.equal(await second, 'AbortError');
      assert.equal((await third).status, 200);
      for (const end of held) end();
      held.clear();
      assert.equal((await first).status, 200);
      await eventually(async () => (await stateOf())!.slots.used === 0, 10_000);
      if (kind === 'cdp') {
        const targets = (await (await fetch(`${remote.url}/json/list`)).json()) as readonly unknown[];
        assert.equal(targets.length, 1, 'only the page of the operator is left');
      }
    });

    test('that ended is left alone, and used again when it is back', async () => {
      const lost = scrape('/held', { timeout_ms: 30_000 });
      await eventually(() => held.size === 1);
      held.clear();
      await remote.kill();
      const gone = await lost;
      assert.deepEqual([gone.status, gone.body.code], [502, 'browser.crashed'], gone.text);
      const { body } = await scrape('/page');
      const down = (await stateOf())!;
      assert.equal(down.state, 'down');
      assert.match(down.trouble!, /ECONNREFUSED/);
      // A browser of this machine has taken its place.
      assert.match(body.content!, /made by script/, JSON.stringify(body.errors));
      remote = await startRemote();
      await eventually(isReady, 60_000);
      const served = (await stateOf())!.pages_served;
      assert.equal((await scrape('/page')).status, 200);
      assert.equal((await stateOf())!.pages_served, served + 1);
    });

    test('with a network of its own is for the users and scrapers that the file names, and it is told', async () => {
      const direct = {
        ...one({ name: 'own-net' }),
        network: 'direct',
        allow_unguarded: true,
        users: 'admins',
      };
      await use(direct);
      await eventually(async () => (await stateOf('own-net'))?.state === 'ready');
      const { body } = await scrape('/page');
      const told = body.router.warnings.find(({ code }) => code === 'egress.remote');
      assert.deepEqual(told?.details, { browser: 'own-net' });
      assert.match(body.content!, /made by script/);
      await checkBodies();
      const links = await scrape('/links');
      assert.match(JSON.stringify(links.body.router.warnings), /"host":"10\.255\.255\.1"/);
      for (const url of [FORBIDDEN, `${target.url}/to-inside`]) {
        const refused = await service.scrape({ url, scraper: 'browser', timeout_ms: 20_000 });
        assert.equal(refused.body.errors[0]?.code, 'policy.address', refused.text);
      }
      const served = (await stateOf('own-net'))!.pages_served;
      await using proxy = await startProxy();
      const proxied = await scrape('/page', {
        proxy: { server: `http://127.0.0.1:${proxy.port}` },
      });
      assert.equal(proxied.status, 200, proxied.text);
      assert.ok(proxy.targets.length > 0);
      assert.equal((await stateOf('own-net'))!.pages_served, served);
      const byAuto = await service.scrape({ url: `${target.url}/page`, wait_for_selector: '#p' });
      assert.equal(byAuto.body.router.scraper, 'browser');
      assert.equal(
        byAuto.body.router.warnings.find(({ code }) => code === 'egress.remote'),
        undefined,
      );
      await use({ ...direct, users: ['somebody@example.test'] });
      const other = await scrape('/page');
      assert.equal(
        other.body.router.warnings.find(({ code }) => code === 'egress.remote'),
        undefined,
      );
      assert.equal((await stateOf('own-net'))!.pages_served, 0);
      assert.ok(served > 0);
    });
  });
