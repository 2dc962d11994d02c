import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { useService } from '../../helpers/service.ts';

const [found] = await chromiums();
const skip = found === undefined && 'there is no Chromium on this machine';

const FILLS = `<script>
localStorage.l = 'ü';
const opening = indexedDB.open('db', 3);
opening.onupgradeneeded = () => {
  const { result } = opening;
  const books = result.createObjectStore('books', { keyPath: 'id' });
  books.createIndex('by', ['a', 'b'], { unique: true });
  books.put({ id: 1, a: new Date(0), b: 'x' });
  result.createObjectStore('plain').put('value', 'key');
};
opening.onsuccess = () => { opening.result.close(); document.title = 'filled'; };
</script>`;
const READS = `<script>
const opening = indexedDB.open('db');
opening.onsuccess = () => {
  const { result: db } = opening;
  if (db.version !== 3) return done('none');
  const of = db.transaction(['books', 'plain']);
  const book = of.objectStore('books').get(1);
  const plain = of.objectStore('plain').get('key');
  of.oncomplete = () => done(JSON.stringify([book.result, plain.result, [...db.objectStoreNames]]));
};
function done(text) {
  document.body.innerHTML = '<p id=done></p>';
  document.querySelector('p').textContent = text + ' ' + localStorage.l + ' ' + document.cookie;
}
</script>`;

describe('storage state as Playwright writes it', { skip }, () => {
  const service = useService();
  let target: Target;
  const cookies: (string | undefined)[] = [];
  before(async () => {
    target = await startTarget({
      '/fills': html(FILLS),
      '/reads': (request, response) => {
        cookies.push(request.headers.cookie);
        html(READS)(request, response);
      },
    });
  });
  after(() => target[Symbol.asyncDispose]());

  const asked = async (storage_state: unknown) => {
    const { status, body } = await service.scrape({
      url: `${target.url}/reads`,
      scraper: 'browser',
      wait_for_selector: '#done',
      scraper_options: { storage_state, extract: { done: '#done' } },
    });
    assert.equal(status, 200, JSON.stringify(body.errors));
    assert.deepEqual(body.errors, []);
    return (body.scraper_data.extract as { done: string }).done;
  };

  test('cookies with a partition, localStorage and IndexedDB are there', async () => {
    const browser = await chromium.launch({ executablePath: found!.path, args: ['--no-sandbox'] });
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${target.url}/fills`);
      await page.waitForFunction(`document.title === 'filled'`);
      const cookie = { name: 'plain', value: '1', domain: '127.0.0.1', path: '/' };
      await context.addCookies([
        cookie,
        { ...cookie, name: 'parted', secure: true, sameSite: 'None', partitionKey: 'http://127.0.0.1' },
      ]);
      const state = await context.storageState({ indexedDB: true });
      assert.ok(state.origins[0] !== undefined && 'indexedDB' in state.origins[0]);
      assert.ok(state.cookies.some((one) => 'partitionKey' in one));
      const done = await asked(state);
      assert.equal(
        done,
        `[{"id":1,"a":"1970-01-01T00:00:00.000Z","b":"x"},"value",["books","plain"]] ü plain=1`,
      );
    } finally {
      await browser.close();
    }
  });

  test('cookies of extensions, Puppeteer and Selenium are there', async () => {
    const cookie = { name: 'a', value: '1', domain: '127.0.0.1', path: '/', secure: false, httpOnly: false };
    cookies.length = 0;
    await asked({
      cookies: [
        { ...cookie, hostOnly: true, sameSite: 'lax', session: false, storeId: '0', expirationDate: 4e9 },
        {
          ...cookie,
          name: 'b',
          expires: -1,
          size: 2,
          session: true,
          sourceScheme: 'NonSecure',
          sourcePort: 80,
        },
        { ...cookie, name: 'c', expiry: 4_000_000_000, sameSite: 'Strict' },
        { ...cookie, name: 'd', sameSite: 'unspecified', expirationDate: 4e9, storeId: null },
      ],
    });
    assert.deepEqual(cookies, ['a=1; b=1; c=1; d=1']);
  });

  test('a partition in `cookies`, in both drivers', async () => {
    const cookie = { value: '1', secure: true, sameSite: 'none' };
    for (const scraper_options of [{}, { color_scheme: 'dark' }]) {
      cookies.length = 0;
      const { status, body } = await service.scrape({
        url: `${target.url.replace('127.0.0.1', 'localhost')}/reads`,
        scraper: 'browser',
        scraper_options,
        cookies: [
          { ...cookie, name: 'own', partitionKey: 'http://localhost' },
          { ...cookie, name: 'others', partitionKey: 'https://other.test' },
          {
            ...cookie,
            name: 'frames',
            partitionKey: { topLevelSite: 'http://localhost', hasCrossSiteAncestor: true },
          },
        ],
      });
      assert.equal(status, 200, JSON.stringify(body.errors));
      assert.deepEqual(cookies, ['own=1'], JSON.stringify(scraper_options));
    }
  });

  test('databases that cannot be created are reported', async () => {
    const store = { name: 's', autoIncrement: false, records: [{ value: 1 }], indexes: [] };
    const { status, body } = await service.scrape({
      url: `${target.url}/reads`,
      scraper: 'browser',
      scraper_options: {
        storage_state: {
          origins: [
            { origin: target.url, localStorage: [], indexedDB: [{ name: 'd', version: 1, stores: [store] }] },
          ],
        },
      },
    });
    assert.deepEqual([status, body.code], [422, 'scraper.unsupported_option']);
    assert.equal(body.errors[0]?.pointer, '/scraper_options/storage_state');
    assert.match(body.errors[0]?.message ?? '', /does not take this storage: .*no key generator/);
  });
});
