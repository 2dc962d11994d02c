import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe("which of the caller's cookies the target set again", { skip }, () => {
  const service = useService();
  let target: Target;
  let port = '';
  before(async () => {
    const sets =
      (...cookies: string[]) =>
      (_: unknown, response: ServerResponse): void =>
        void response
          .writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookies })
          .end('<p>page</p>');
    target = await startTarget({
      '/other-host': (request, response) =>
        html(`<img src="http://localhost:${port}/sets">`)(request, response),
      '/own-host': html('<img src="/sets">'),
      '/sets': sets('sid=mine; Path=/'),
      '/away': (_, response) =>
        void response.writeHead(302, { location: `http://localhost:${port}/sets` }).end(),
      '/there': (_, response) =>
        void response
          .writeHead(302, { location: `http://localhost:${port}/page`, 'set-cookie': 'sid=mine; Path=/' })
          .end(),
      '/page': html('<p>page</p>'),
      '/above': sets('sid=mine; Path=/; Domain=shop.localhost'),
      '/deeper/path': sets('sid=mine'),
      '/same-site': sets('lax=1; SameSite=lax', 'strict=1; SameSite=Strict', 'odd=1; SameSite=x', 'bare=1'),
      '/script': html('<script>document.cookie = "own=1"; document.cookie = "told=1; SameSite=Lax"</script>'),
    });
    port = new URL(target.url).port;
  });
  after(() => target[Symbol.asyncDispose]());

  const cookies = async (url: string, given: object, more: object = {}) => {
    const { status, body } = await service.scrape({
      url,
      scraper: 'browser',
      cookies: [{ name: 'sid', value: 'mine', ...given }],
      ...more,
    });
    assert.deepEqual([status, body.errors], [200, []]);
    return body.cookies.map(({ name, domain, path }) => `${name} ${domain} ${path}`);
  };

  test('a cookie that another host set for itself does not count', async () => {
    // Both drivers: an action takes playwright.
    for (const more of [{}, { page_actions: [{ wait: 1 }] }]) {
      assert.deepEqual(await cookies(`${target.url}/other-host`, {}, more), []);
      assert.deepEqual(await cookies(`${target.url}/own-host`, {}, more), ['sid 127.0.0.1 /']);
    }
  });

  test('with redirects over several hosts, each host has its own cookies', async () => {
    assert.deepEqual(await cookies(`${target.url}/away`, {}), ['sid localhost /']);
    assert.deepEqual(await cookies(`${target.url}/there`, {}), ['sid 127.0.0.1 /']);
  });

  test('one of a domain above is of that domain, and one of another path is another', async () => {
    const www = `http://www.shop.localhost:${port}`;
    assert.deepEqual(await cookies(`${www}/above`, { domain: 'shop.localhost' }), ['sid shop.localhost /']);
    assert.deepEqual(await cookies(`${www}/above`, {}), ['sid shop.localhost /']);
    assert.deepEqual(await cookies(`${target.url}/deeper/path`, {}), ['sid 127.0.0.1 /deeper']);
  });

  test('SameSite is what was said with them, and null where nothing was', async () => {
    const said = async (path: string, more: object) => {
      const { body } = await service.scrape({ url: `${target.url}${path}`, ...more });
      return body.cookies.map(({ name, same_site }) => `${name} ${same_site}`).sort();
    };
    const browsers = [{ scraper: 'browser' }, { scraper: 'browser', page_actions: [{ wait: 1 }] }];
    for (const more of [{ scraper: 'http' }, ...browsers])
      assert.deepEqual(await said('/same-site', more), ['bare null', 'lax Lax', 'odd null', 'strict Strict']);
    for (const more of browsers) assert.deepEqual(await said('/script', more), ['own null', 'told Lax']);
  });
});
