import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { eventually, type ServiceApi, startService, useService } from '../helpers/service.ts';
import { article, makeMonitor, PARAGRAPH, type Run, runNow, runsOf, useChangingSite } from './monitoring.ts';

type Change = NonNullable<Run['change']>;

/** A page with its own text, and links. */
const page = (text: string, links: readonly string[] = []): string =>
  article(`${PARAGRAPH}<p>${text}</p>`).replace(
    '</main>',
    `</main>${links.map((link) => `<a href="${link}">${link}</a>`).join('')}`,
  );

/** State and path of the listed pages, sorted. */
const listed = ({ pages }: Change, site: string): string[] =>
  pages.map(({ url, state }) => `${state} ${url.slice(site.length)}`).sort();

const counts = (change: Partial<Record<'new' | 'changed' | 'gone' | 'same' | 'error', number>>) => ({
  new: 0,
  changed: 0,
  gone: 0,
  same: 0,
  error: 0,
  ...change,
});

const makeCrawl = (service: ServiceApi, url: string, members: object = {}): Promise<string> =>
  makeMonitor(service, {
    crawl: { url, sitemap: 'ignore', robots: 'ignore', retries: 0, request: { scraper: 'http' }, ...members },
  });

describe('monitors of crawls', () => {
  const site = useChangingSite();
  const service = useService();

  test('pages are compared by their URLs: new, changed, gone, the same', async () => {
    site.set('/all', page('start', ['/all/a', '/all/b', '/all/c', '/all/d']));
    for (const name of ['a', 'b', 'c', 'd']) site.set(`/all/${name}`, page(`Page ${name}.`));
    const id = await makeCrawl(service, `${site.url}/all`, { scope: 'path' });
    const first = await runNow(service, id);
    assert.deepEqual([first.state, first.pages, first.counts], ['first', [], counts({ new: 5 })]);
    assert.equal((await runNow(service, id)).state, 'same');
    // c is no longer linked, d answers 404, e is new.
    site.set('/all', page('start', ['/all/a?utm_source=x', '/all/b', '/all/d', '/all/e']));
    site.set('/all/b', page('Page b is new.'));
    site.set('/all/e', page('Page e.'));
    site.remove('/all/d');
    const third = await runNow(service, id);
    assert.equal(third.state, 'changed');
    assert.deepEqual(listed(third, site.url), ['changed /all/b', 'gone /all/c', 'gone /all/d', 'new /all/e']);
    assert.deepEqual(third.counts, counts({ new: 1, changed: 1, gone: 2, same: 2 }));
    assert.equal(third.incomplete, null);
    assert.equal((await runNow(service, id)).state, 'same', 'what is gone is told once');
    const job = (await runsOf(service, id))[0]!.job_id;
    const { body } = await service.api('GET', `/api/v1/jobs/${job}/`);
    assert.partialDeepStrictEqual(body, { kind: 'crawl', state: 'done' });
  });

  test('what a limit leaves out is not gone', async () => {
    site.set('/limit', page('start', ['/limit/a', '/limit/b']));
    for (const name of ['a', 'b', 'c']) site.set(`/limit/${name}`, page(`Page ${name}.`));
    const id = await makeCrawl(service, `${site.url}/limit`, { scope: 'path', limit: 3 });
    assert.deepEqual((await runNow(service, id)).counts, counts({ new: 3 }));
    site.set('/limit', page('start', ['/limit/c', '/limit/a', '/limit/b']));
    const second = await runNow(service, id);
    assert.deepEqual(listed(second, site.url), ['new /limit/c']);
    assert.deepEqual([second.counts, second.incomplete], [counts({ new: 1, same: 2 }), 'skip.limit']);
    site.set('/limit', page('start', ['/limit/a', '/limit/b']));
    const third = await runNow(service, id);
    assert.deepEqual([listed(third, site.url), third.incomplete], [['gone /limit/c'], null]);
  });

  test('while a page fails, it and what only it leads to are not gone', async () => {
    site.set('/fails', page('start', ['/fails/list']));
    site.set('/fails/list', page('A list.', ['/fails/item']));
    site.set('/fails/item', page('An item.'));
    const id = await makeCrawl(service, `${site.url}/fails`, {
      scope: 'path',
      request: { scraper: 'http', router: { max_attempts: 1 } },
    });
    await runNow(service, id);
    site.set('/fails/list', '<h1>Internal error</h1>', 500);
    const second = await runNow(service, id);
    assert.equal(second.state, 'same');
    assert.deepEqual(second.counts, counts({ same: 1, error: 1 }));
    assert.equal(second.incomplete, 'failed_pages');
    assert.deepEqual(second.pages.length, 1);
    assert.partialDeepStrictEqual(second.pages[0], { state: 'error', url: `${site.url}/fails/list` });
    assert.notEqual(second.pages[0]!.reason, null);
    site.set('/fails/list', page('A list.', ['/fails/item']));
    const third = await runNow(service, id);
    assert.deepEqual([third.state, third.counts], ['same', counts({ same: 3 })]);
  });

  test('a redirect and its target are one page, whichever is visited first', async () => {
    site.set('/moved', page('start', ['/moved/old', '/moved/new']));
    site.set('/moved/new', page('The page.'));
    site.redirect('/moved/old', '/moved/new');
    const id = await makeCrawl(service, `${site.url}/moved`, { scope: 'path', per_host: 1 });
    await runNow(service, id);
    site.set('/moved', page('start', ['/moved/new', '/moved/old']));
    const second = await runNow(service, id);
    assert.deepEqual([second.state, second.counts, second.pages], ['same', counts({ same: 2 }), []]);
  });

  test('a crawl that reaches no page is an error; one that is cancelled says no page is gone', async () => {
    site.set('/cut', page('start', ['/cut/a', '/cut/b']));
    for (const name of ['a', 'b']) site.set(`/cut/${name}`, page(`Page ${name}.`));
    const id = await makeCrawl(service, `${site.url}/cut`, { scope: 'path', delay_ms: 700 });
    assert.equal((await runNow(service, id)).state, 'first');
    await service.api('POST', `/api/v1/monitors/${id}/run/`);
    const [run] = await runsOf(service, id);
    const job = async () =>
      (await service.api('GET', `/api/v1/jobs/${run!.job_id}/`)).body as { counts: { ok: number } };
    await eventually(async () => (await job()).counts.ok >= 1);
    assert.equal((await service.api('DELETE', `/api/v1/jobs/${run!.job_id}/`)).status, 204);
    await eventually(async () => (await runsOf(service, id))[0]!.state === 'ended');
    const { change } = (await runsOf(service, id))[0]!;
    assert.deepEqual([change!.state, change!.counts!.gone, change!.incomplete], ['same', 0, 'job_cancelled']);
    site.set('/cut', '', 503);
    const failed = await runNow(service, id);
    assert.equal(failed.state, 'error');
    assert.notEqual(failed.reason, null);
  });

  test('a change of the crawl ends the run under way, and the next one is the first', async () => {
    site.set('/patched', page('start', ['/patched/a']));
    site.set('/patched/a', page('Page a.'));
    const id = await makeCrawl(service, `${site.url}/patched`, { scope: 'path', delay_ms: 3_000 });
    await service.api('POST', `/api/v1/monitors/${id}/run/`);
    const crawl = {
      url: `${site.url}/patched`,
      max_depth: 0,
      sitemap: 'ignore',
      request: { scraper: 'http' },
    };
    const changed = await service.api('PATCH', `/api/v1/monitors/${id}/`, { body: { crawl } });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.partialDeepStrictEqual(changed.body, { kind: 'crawl', request: { max_depth: 0 } });
    const [run] = await runsOf(service, id);
    assert.deepEqual([run!.state, run!.change!.reason], ['ended', 'monitor_changed']);
    const { body } = await service.api('GET', `/api/v1/jobs/${run!.job_id}/`);
    assert.equal((body as { state: string }).state, 'cancelled');
    const next = await runNow(service, id);
    assert.deepEqual([next.state, next.counts], ['first', counts({ new: 1 })]);
  });
});

describe('monitors of crawls after a crash', () => {
  const site = useChangingSite();

  test('a run whose crawl has ended is compared once, with the pages of the run before', async (t) => {
    const dataDir = tempFolder(t);
    const first = await startService({}, { dataDir });
    // Pages that differ only in numbers or their URL would be a trap.
    const letters = [...'abcdefghijklmnopqrstuvwxyzABCD'];
    const names = letters.map((letter) => `/crash/${letter}`);
    const textOf = (index: number) => `The word ${letters[index]!.repeat(4)}.`;
    site.set('/crash', page('start', names));
    for (const [index, name] of names.entries()) site.set(name, page(textOf(index)));
    const id = await makeCrawl(first, `${site.url}/crash`, { scope: 'path', per_host: 8 });
    await runNow(first, id);
    for (const [index, name] of names.slice(0, 10).entries())
      site.set(name, page(`${textOf(index)} It is new.`));
    for (const name of names.slice(20)) site.remove(name);
    await first.api('POST', `/api/v1/monitors/${id}/run/`);
    const job = (await runsOf(first, id))[0]!.job_id;
    await eventually(async () => {
      const { body } = await first.api('GET', `/api/v1/jobs/${job}/`);
      return (body as { state: string }).state === 'done';
    });
    await first.kill9();
    const second = await startService({}, { dataDir });
    afterwards(t, () => second.end());
    await eventually(async () => (await runsOf(second, id))[0]?.state === 'ended');
    const [run] = await runsOf(second, id);
    assert.deepEqual([run!.n, run!.change!.counts], [2, counts({ changed: 10, gone: 10, same: 11 })]);
    assert.equal((await runNow(second, id)).state, 'same');
  });
});
