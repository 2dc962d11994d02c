import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlineOf } from '../../../src/base/time.ts';
import type { FetchedPage } from '../../../src/domain/fetch-result.ts';
import { jobFor, orderFor, pageOf } from '../../contracts/fetch-order.ts';
import { browserScraper } from './kit.ts';
import { rawSite, reply } from './raw-pages.ts';
import { chromiums } from './stage.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

test('a command that the browser refuses ends the attempt with its cause', { skip }, async (t) => {
  await using site = await rawSite({ '/': reply('200 OK', 'Content-Type: text/html', '<p>here') });
  for (const driver of ['cdp', 'playwright'] as const) {
    const scraper = await browserScraper(t, undefined, null, { chooseDriver: () => driver });
    const fetched = await pageOf(scraper, `${site.url}/`, { timeoutMs: 60_000 });
    // No scraper brings such a name of a field.
    const headers = [...fetched.page.headers, ['a\n', 'b'] as const];
    const document = { ...fetched, page: { ...fetched.page, headers } } as FetchedPage;
    using deadline = deadlineOf(60_000);
    const order = { ...orderFor(jobFor(`${site.url}/`), deadline), document };
    const { failure } = await scraper.fetch(order);
    assert.equal(failure?.code, 'http.protocol', driver);
    assert.match(failure.message, /Fetch\.fulfillRequest: Invalid header/);
  }
});
