import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { FAILURES } from '../../src/domain/failure.ts';
import { ROOT } from '../helpers/repository.ts';
import { useOwnService } from '../helpers/service.ts';

interface SearchEntry {
  readonly path: string;
  readonly id: string;
  readonly heading: string;
}

describe('the documentation at /docs, under a path prefix', () => {
  const service = useOwnService({ SLUICE_BASE_URL: 'http://scrape.example/sluice' });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.base}${path}`, { headers });
  const entries = async () => (await (await get('/docs/search.json')).json()) as readonly SearchEntry[];

  /** The pages by their path, read by following all links from the first page. */
  async function readPages(): Promise<ReadonlyMap<string, string>> {
    const pages = new Map<string, string>();
    const open = ['/docs'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (pages.has(path)) continue;
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      const html = await answer.text();
      pages.set(path, html);
      if (path === '/docs/api') continue;
      for (const [, href] of html.matchAll(/ href="([^"#]+)(?:#[^"]*)?"/g)) {
        if (/^(?:https?|data):/.test(href!)) continue;
        assert.match(href!, /^\/sluice\//, `${path} links to ${href}`);
        const target = href!.slice('/sluice'.length);
        if (target.startsWith('/docs') && !target.endsWith('.css')) open.push(target);
      }
    }
    return pages;
  }

  test('every link leads to a page and to an anchor on it, and every guide is linked', async () => {
    const pages = await readPages();
    for (const [path, html] of pages) {
      for (const [, href, anchor] of html.matchAll(/ href="([^"#]*)#([^"]+)"/g)) {
        if (/^https?:|\/playground$/.test(href!)) continue;
        const target = pages.get(href === '' ? path : href!.slice('/sluice'.length));
        assert.ok(target?.includes(` id="${anchor}"`), `${path}: there is no ${href}#${anchor}`);
      }
    }
    for (const folder of ['guides', 'recipes'])
      for (const file of existsSync(join(ROOT, 'docs', folder))
        ? readdirSync(join(ROOT, 'docs', folder))
        : [])
        assert.ok(pages.has(`/docs/${folder}/${file.replace('.md', '')}`), file);
    assert.ok(pages.has('/docs/api'));
  });

  test('the next pages lead through the whole site, and the previous ones back', async () => {
    const pages = await readPages();
    const neighbour = (path: string, rel: string) =>
      new RegExp(`<a rel="${rel}" href="/sluice([^"]+)">`).exec(pages.get(path) ?? '')?.[1];
    const visited = new Set<string>();
    for (let path: string | undefined = '/docs'; path !== undefined; path = neighbour(path, 'next')) {
      assert.ok(!visited.has(path), path);
      assert.equal(neighbour(path, 'prev'), [...visited].at(-1));
      visited.add(path);
    }
    assert.deepEqual(visited, new Set([...pages.keys()].filter((path) => path !== '/docs/api')));
  });

  test('the statuses of the errors stand in their order', async () => {
    const html = await (await get('/docs/errors')).text();
    const statuses = [...html.matchAll(/<h2 id="status-(\d+)"/g)].map(([, status]) => Number(status));
    assert.ok(statuses.length > 10);
    assert.deepEqual(
      statuses,
      statuses.toSorted((one, other) => one - other),
    );
  });

  test('the search knows every error code, and its entries lead to anchors', async () => {
    const found = await entries();
    const codes = new Set(found.filter(({ path }) => path === 'errors').map(({ id }) => id));
    for (const code of Object.keys(FAILURES)) assert.ok(codes.has(code), code);
    const pages = await readPages();
    for (const { path, id } of found) {
      const html = pages.get(path === '' ? '/docs' : `/docs/${path}`);
      assert.ok(id === '' || html?.includes(` id="${id}"`), `${path}#${id}`);
    }
  });

  test('pages allow no scripts but those of the service, and are revalidated', async () => {
    const page = await get('/docs/guides/first-scrape');
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+';/);
    assert.doesNotMatch(await page.text(), /<script(?![^>]* src=)|<style| style=| on\w+=/);
    const again = await get('/docs/guides/first-scrape', {
      'if-none-match': page.headers.get('etag') ?? '',
    });
    assert.equal(again.status, 304);
  });

  test('a page that does not exist is 404', async () => {
    for (const path of ['/docs/nothing', '/docs/guides/nothing', '/docs/..%2fpackage.json']) {
      const answer = await get(path, { accept: 'text/html' });
      assert.equal(answer.status, 404, path);
      assert.match(await answer.text(), /<svg [\s\S]*There is no such page/);
    }
  });
});
