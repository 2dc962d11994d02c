import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { eventually, startService, useService } from '../helpers/service.ts';
import {
  article,
  makeMonitor,
  NOT_THE_PAGE,
  PARAGRAPH,
  runNow,
  runsOf,
  useChangingSite,
} from './monitoring.ts';

describe('monitors', () => {
  const site = useChangingSite();
  const service = useService();

  test('a run tells what changed on the page since the run before', async () => {
    site.set('/news', article(`${PARAGRAPH}<p>The bridge stays closed.</p>`));
    const id = await makeMonitor(service, { request: { url: `${site.url}/news`, scraper: 'http' } });
    assert.equal((await runNow(service, id)).state, 'first');
    assert.equal((await runNow(service, id)).state, 'same');
    site.set('/news', article(`${PARAGRAPH}<p>The bridge is open again.</p>`).replace('Home', 'Start'));
    const change = await runNow(service, id);
    assert.equal(change.state, 'changed');
    assert.match(change.diff!, /^-The bridge stays closed\.$/m);
    assert.match(change.diff!, /^\+The bridge is open again\.$/m);
    assert.doesNotMatch(change.diff!, /Start/, 'the navigation is not a part of the main content');
    const runs = await runsOf(service, id);
    assert.equal(change.previous_id, runs[1]!.scrape_id);
    const record = await service.api('GET', `/api/v1/scrape/${runs[0]!.scrape_id}/`);
    assert.equal(record.status, 200);

    const listed = async (query: string) => {
      const { body } = await service.api('GET', `/api/v1/jobs/?limit=200${query}`);
      return (body as { items: { id: string; monitor_id: string | null; schedule_id: null }[] }).items
        .filter((job) => runs.some((run) => run.job_id === job.id))
        .map((job) => [job.monitor_id, job.schedule_id]);
    };
    assert.deepEqual(await listed(''), [], 'lists leave runs out');
    assert.deepEqual(
      await listed('&with_runs=true'),
      runs.map(() => [id, null]),
    );
    assert.equal((await service.api('GET', '/api/v1/jobs/?with_runs=1')).status, 400);
  });

  test('the first run is at once, unless it is to wait for the schedule', async () => {
    site.set('/first', article(PARAGRAPH));
    const request = { url: `${site.url}/first`, scraper: 'http' };
    const id = await makeMonitor(service, { request, first_run: 'now' });
    await eventually(async () => (await runsOf(service, id))[0]?.state === 'ended');
    const [run] = await runsOf(service, id);
    assert.deepEqual([run!.n, run!.change!.state], [1, 'first']);
    const made = (await service.api('GET', `/api/v1/monitors/${id}/`)).body as { next_run_at: string };
    assert.ok(Date.parse(made.next_run_at) > Date.now(), 'then the schedule holds');
    const waiting = await makeMonitor(service, { request });
    assert.deepEqual(await runsOf(service, waiting), []);
  });

  test('a record names its job, and the run of its monitor', async () => {
    site.set('/origin', article(PARAGRAPH));
    const request = { url: `${site.url}/origin`, scraper: 'http' };
    const id = await makeMonitor(service, { request });
    await runNow(service, id);
    await runNow(service, id);
    const crawl = await makeMonitor(service, {
      crawl: { url: `${site.url}/origin`, limit: 1, request: { scraper: 'http' } },
    });
    await runNow(service, crawl);
    const routerOf = async (record: string) =>
      ((await service.api('GET', `/api/v1/scrape/${record}/`)).body as { router: Record<string, unknown> })
        .router;
    const [second] = await runsOf(service, id);
    const ofPage = await routerOf(second!.scrape_id!);
    assert.deepEqual([ofPage.job_id, ofPage.monitor], [null, { id, n: 2 }]);
    const [crawled] = await runsOf(service, crawl);
    const results = await service.api('GET', `/api/v1/jobs/${crawled!.job_id}/results/`);
    const [item] = (results.body as { items: { scrape: { id: string } | string | null }[] }).items;
    const scrape = typeof item!.scrape === 'string' ? item!.scrape : item!.scrape!.id;
    const ofCrawl = await routerOf(scrape);
    assert.deepEqual([ofCrawl.job_id, ofCrawl.monitor], [crawled!.job_id, { id: crawl, n: 1 }]);
    const alone = await service.scrape(request);
    const ofScrape = await routerOf(alone.body.id!);
    assert.deepEqual([ofScrape.job_id, ofScrape.monitor], [null, null]);
    const other = await service.api('GET', '/api/v1/scrape/01890000-0000-7000-8000-00000000000a/');
    assert.match((other.body as { detail: string }).detail, /monitor does not keep|expired/);
  });

  test('a preview shows what is compared, and what is ignored', async () => {
    interface Preview {
      readonly scrape_id: string;
      readonly url: string;
      readonly text: string | null;
      readonly truncated: boolean;
      readonly bytes: number | null;
      readonly reason: string | null;
      readonly ignored: readonly {
        readonly rules: string[];
        readonly lines: number;
        readonly examples: string[];
      }[];
    }
    const preview = async (body: object) =>
      await service.api<Preview & { errors: { pointer: string }[] }>('POST', '/api/v1/monitors/preview/', {
        body,
      });
    const lines =
      '<p>Price: 40 Euro</p><p>Visitors: 1234 today</p><p class="season">Winter begins on Monday</p>';
    site.set('/preview', article(`${PARAGRAPH}${lines}`));
    const request = { url: `${site.url}/preview`, scraper: 'http' };
    const ignore = ['.season', '/Visitors: (\\d+)/'];
    const { status, body } = await preview({ request, compare: { ignore } });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(body.text!, /^Price: 40 Euro$/m);
    assert.doesNotMatch(body.text!, /Winter|1234/);
    assert.deepEqual(body.ignored, [
      { rules: ['.season'], lines: 1, examples: ['Winter begins on Monday'] },
      { rules: ['/Visitors: (\\d+)/'], lines: 1, examples: ['Visitors: 1234 today'] },
    ]);
    assert.deepEqual([body.truncated, body.reason], [false, null]);
    assert.equal((await service.api('GET', `/api/v1/scrape/${body.scrape_id}/`)).status, 200);
    const long = await preview({
      request: { ...request, url: `${site.url}/preview-long` },
      compare: { format: 'text', selector: 'body' },
    });
    assert.equal(long.body.reason, 'gone');
    site.set('/preview-long', `<title>Long</title><body><p>${'words and words '.repeat(20_000)}</p></body>`);
    const cut = await preview({
      request: { ...request, url: `${site.url}/preview-long` },
      compare: { format: 'text', selector: 'body' },
    });
    assert.deepEqual([cut.body.truncated, cut.body.text!.length], [true, 100_000]);
    const data = await preview({
      request: { ...request, scraper_options: { extract: { heading: 'h1' } } },
      compare: { format: 'extract' },
    });
    assert.deepEqual(JSON.parse(data.body.text!), { heading: 'News of the town' });
    // Of more than one page, the first one.
    const crawl = { url: request.url, limit: 5, request: { scraper: 'http' } };
    const ofCrawl = await preview({ crawl, compare: { ignore } });
    assert.equal(ofCrawl.status, 200, JSON.stringify(ofCrawl.body));
    assert.deepEqual([ofCrawl.body.url, ofCrawl.body.text], [request.url, body.text]);
    const batch = {
      requests: [{ url: request.url }, { url: `${site.url}/other` }],
      defaults: { scraper: 'http' },
    };
    const ofBatch = await preview({ batch, compare: { ignore } });
    assert.deepEqual([ofBatch.body.url, ofBatch.body.text], [request.url, body.text]);
    assert.notEqual(ofBatch.body.scrape_id, body.scrape_id);
    for (const target of [{}, { request, crawl }]) {
      const unclear = await preview(target);
      assert.deepEqual([unclear.status, unclear.body.errors[0]!.pointer], [400, '']);
    }
    const beyond = await preview({ batch: { ...batch, requests: [{ url: 'nonsense' }] } });
    assert.deepEqual([beyond.status, beyond.body.errors[0]!.pointer], [400, '/batch/requests/0/url']);
    const refused = await preview({ request, compare: { format: 'extract' } });
    assert.deepEqual([refused.status, refused.body.errors[0]!.pointer], [400, '/compare/format']);
    const invalid = await preview({ request: { ...request, scraper: 'nobody' } });
    assert.deepEqual([invalid.status, invalid.body.errors[0]!.pointer], [400, '/request/scraper']);
  });

  test('what is ignored is no change; the noise of a page is proposed', async () => {
    let clock = 0;
    const tick = () =>
      site.set('/clock', article(`${PARAGRAPH}<p>It is now ${clock++} minutes after noon.</p>`));
    const id = await makeMonitor(service, { request: { url: `${site.url}/clock`, scraper: 'http' } });
    for (let n = 0; n < 3; n++) {
      tick();
      await runNow(service, id);
    }
    const noise = (await service.api('GET', `/api/v1/monitors/${id}/noise/`)).body as {
      items: { ignore: string; runs: number; of: number }[];
    };
    assert.equal(noise.items.length, 1);
    assert.deepEqual([noise.items[0]!.runs, noise.items[0]!.of], [2, 2]);
    const ignore = noise.items.map((item) => item.ignore);
    const changed = await service.api('PATCH', `/api/v1/monitors/${id}/`, { body: { compare: { ignore } } });
    assert.equal(changed.status, 200);
    tick();
    assert.equal((await runNow(service, id)).state, 'first', 'the comparison is new');
    tick();
    assert.equal((await runNow(service, id)).state, 'same');
  });

  for (const format of ['markdown', 'text', 'main_html'])
    test(`noise alone is no change, and what matters is, as ${format}`, async () => {
      let visit = 0;
      const set = (price: number) => {
        visit++;
        const links = `<p><a href="/offers?sid=${visit * 7919}&v=${visit}">Offers of the town</a> <img alt="Bridge" src="/bridge.jpg?X-Amz-Signature=${visit}a&w=5"></p>`;
        const counts = `<p>1,${200 + visit} views, ${visit} ${visit === 1 ? 'comment' : 'comments'}, 3.${visit}k likes, vor ${visit} Stunden</p>`;
        const advertisement = `<p>Buy now: ${['boots', 'gloves', 'hats', 'maps', 'lamps'][visit % 5]}</p>`;
        const body = `${PARAGRAPH}${links}${counts}${advertisement}<p>Buy now for € ${price}</p>`;
        site.set(`/noise/${format}`, article(`${body}<p>It is Sunday, 29 November 2026, 12:0${visit}.</p>`));
      };
      const request = { url: `${site.url}/noise/${format}`, scraper: 'http' };
      const parts = ['dates', 'relative_times', 'counters'];
      const id = await makeMonitor(service, { request, compare: { format, ignore: parts } });
      for (let n = 0; n < 3; n++) {
        set(40);
        await runNow(service, id);
      }
      const { body } = await service.api('GET', `/api/v1/monitors/${id}/noise/`);
      const learned = (body as { items: { ignore: string }[] }).items.map(({ ignore }) => ignore);
      assert.equal(learned.length, 1, JSON.stringify(learned));
      const compare = { format, ignore: [...parts, ...learned] };
      await service.api('PATCH', `/api/v1/monitors/${id}/`, { body: { compare } });
      set(40);
      await runNow(service, id);
      set(40);
      assert.equal((await runNow(service, id)).state, 'same');
      set(45);
      const { state, added, diff } = await runNow(service, id);
      assert.deepEqual([state, added], ['changed', 1], diff ?? '');
      assert.match(diff!, /€ 45/);
    });

  test('a page that is gone, back, blocked or empty is told as such', async () => {
    site.set('/offer', article(PARAGRAPH));
    const id = await makeMonitor(service, { request: { url: `${site.url}/offer`, scraper: 'http' } });
    await runNow(service, id);
    site.remove('/offer');
    assert.equal((await runNow(service, id)).state, 'gone');
    assert.equal((await runNow(service, id)).state, 'same');
    site.set('/offer', article(PARAGRAPH));
    assert.equal((await runNow(service, id)).state, 'back');
    site.set(
      '/offer',
      '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1><p>You are unable to access example.com. Ray ID: 7d1f0a</p>',
      403,
    );
    assert.equal((await runNow(service, id)).state, 'error');
    site.set('/offer', article(PARAGRAPH));
    assert.equal((await runNow(service, id)).state, 'same', 'an error is never a baseline');
  });

  test('an answer that broke off is tried again soon, and is no version', async () => {
    const html = article(`${PARAGRAPH}<p>Whole.</p>`);
    const breaking = NOT_THE_PAGE[0]![2](html);
    site.set('/breaks', html);
    const id = await makeMonitor(service, {
      request: { url: `${site.url}/breaks`, scraper: 'http', router: { max_attempts: 1 } },
    });
    await runNow(service, id);
    let asked = 0;
    site.answer('/breaks', (response) => {
      asked++;
      breaking(response);
    });
    const { state, reason } = await runNow(service, id);
    assert.deepEqual([state, reason, asked], ['error', 'content.incomplete', 3]);
    site.answer('/breaks', (response) => {
      site.set('/breaks', html);
      breaking(response);
    });
    assert.equal((await runNow(service, id)).state, 'same', 'the second try got it');
    const crawled = await makeMonitor(service, {
      crawl: { url: `${site.url}/breaks`, request: { scraper: 'http', router: { max_attempts: 1 } } },
    });
    assert.equal((await runNow(service, crawled)).state, 'first');
    site.answer('/breaks', breaking);
    const { pages, incomplete } = await runNow(service, crawled);
    assert.deepEqual(
      [pages[0]!.state, pages[0]!.reason, incomplete],
      ['error', 'content.incomplete', 'failed_pages'],
    );
    site.set('/breaks', html);
    assert.equal((await runNow(service, crawled)).state, 'same');
  });

  test('data is compared by its fields', async () => {
    const html = (price: string) => article(`${PARAGRAPH}<b class="price">${price}</b>`);
    site.set('/price', html('40'));
    const request = {
      url: `${site.url}/price`,
      scraper: 'http',
      scraper_options: { extract: { price: '.price', title: 'h1' } },
    };
    const id = await makeMonitor(service, { request, compare: { format: 'extract' } });
    await runNow(service, id);
    site.set('/price', html('45'));
    const { state, fields } = await runNow(service, id);
    assert.equal(state, 'changed');
    assert.deepEqual(fields, [{ path: '/price', before: '40', after: '45' }]);
  });

  test('of several pages, each is compared with its own', async () => {
    for (const name of ['a', 'b', 'c'])
      site.set(`/page/${name}`, article(`${PARAGRAPH}<p>Page ${name}.</p>`));
    const requests = ['a', 'b', 'c'].map((name) => ({ url: `${site.url}/page/${name}`, scraper: 'http' }));
    const id = await makeMonitor(service, { batch: { requests } });
    assert.deepEqual(
      [(await runNow(service, id)).state, (await runNow(service, id)).state],
      ['first', 'same'],
    );
    site.set('/page/b', article(`${PARAGRAPH}<p>Page b is new.</p>`));
    site.remove('/page/c');
    const { state, pages } = await runNow(service, id);
    assert.equal(state, 'changed');
    assert.deepEqual(pages.map(({ url, state: of }) => [url, of]).sort(), [
      [`${site.url}/page/b`, 'changed'],
      [`${site.url}/page/c`, 'gone'],
    ]);
    assert.equal((await runNow(service, id)).state, 'same');
  });

  test('a run that can no longer begin is an error', async () => {
    site.set('/template', article(PARAGRAPH));
    const rules = { title: 'h1' };
    await service.api('POST', '/api/v1/templates/', { body: { name: 'town', rules } });
    const scraperOptions = { extract: 'template:town' };
    const request = { url: `${site.url}/template`, scraper: 'http', scraper_options: scraperOptions };
    const id = await makeMonitor(service, { request, compare: { format: 'extract' } });
    assert.equal((await runNow(service, id)).state, 'first');
    await service.api('DELETE', '/api/v1/templates/town/');
    const { state, reason } = await runNow(service, id);
    assert.deepEqual([state, reason], ['error', 'template.unknown']);
  });

  test('bad schedules and comparisons are refused with a pointer', async () => {
    const request = { url: `${site.url}/news` };
    const cases: readonly [body: object, pointer: string, status?: number][] = [
      [{ request, schedule: { cron: '0 0 30 2 *' } }, '/schedule/cron'],
      [{ request, schedule: { cron: '0 8 * * *', timezone: 'Mars/Olympus' } }, '/schedule/timezone'],
      [{ request, schedule: { every_s: 10 } }, '/schedule/every_s'],
      [{ request, schedule: {} }, '/schedule'],
      [{ request, compare: { ignore: ['/(/'] } }, '/compare/ignore/0'],
      [{ request, compare: { ignore: ['dates', 'p['] } }, '/compare/ignore/1'],
      [{ request, compare: { selector: 'p[' } }, '/compare/selector'],
      [{ request, compare: { format: 'bytes', selector: 'p' } }, '/compare/selector'],
      [{ request: { url: '' } }, '/request/url'],
      [{ batch: { requests: [] } }, '/batch/requests'],
      [{ batch: { requests: [request], invalid: 'skip' } }, '/batch/invalid'],
      [{ crawl: {} }, '/crawl'],
      [{ crawl: { url: site.url, exclude: ['/{a'] } }, '/crawl/exclude/0'],
      [{ crawl: { url: site.url, request: { method: 'NO' } } }, '/crawl/request/method'],
      [{ crawl: { url: site.url, webhook: {} } }, '/crawl/webhook'],
      [{ crawl: { url: site.url, max_cost: 1 } }, '/crawl/max_cost'],
      [{ crawl: { url: site.url }, request }, ''],
      [{}, ''],
      [{ request, compare: { format: 'extract' } }, '/compare/format'],
      [{ request, compare: { format: 'json' } }, '/compare/format'],
      [{ request, compare: { format: 'screenshot' } }, '/compare/format'],
      [{ batch: { requests: [request] }, compare: { format: 'extract' } }, '/compare/format'],
      [{ crawl: { url: site.url }, compare: { format: 'json' } }, '/compare/format'],
      [{ request: { ...request, wait_for_selector: 'p[' } }, '/request/wait_for_selector'],
      [
        { batch: { requests: [request, { ...request, wait_for_selector: 'p[' }] } },
        '/batch/requests/1/wait_for_selector',
      ],
      [{ request: { ...request, scraper: 'http', screenshot: true } }, '/request/screenshot', 422],
      [
        { batch: { requests: [request], defaults: { scraper: 'http', screenshot: true } } },
        '/batch/requests/0/screenshot',
        422,
      ],
      [
        { crawl: { url: site.url, request: { scraper: 'http', wait_for_selector: 'p' } } },
        '/crawl/request/wait_for_selector',
        422,
      ],
      [
        {
          crawl: { url: site.url, rules: [{ match: '/a', request: { scraper: 'http', screenshot: true } }] },
        },
        '/crawl/rules/0/request/screenshot',
        422,
      ],
      [{ request: { ...request, scraper: 'vendor:nobody' } }, '/request/scraper', 422],
      [{ request: { ...request, proxy: 'residential' } }, '/request/proxy', 422],
    ];
    for (const [body, pointer, status = 400] of cases) {
      const refused = await service.api('POST', '/api/v1/monitors/', {
        body: { name: 'x', schedule: { every_s: 60 }, ...body },
      });
      assert.equal(refused.status, status, JSON.stringify(body));
      assert.equal((refused.body as { errors: { pointer: string }[] }).errors[0]!.pointer, pointer);
    }
    const id = await makeMonitor(service, { request });
    const changes: readonly [change: object, status: number][] = [
      [{ compare: { format: 'extract' } }, 400],
      [{ request: { ...request, scraper: 'http', screenshot: true } }, 422],
      [{ request: { ...request, scraper_options: { extract: { title: 'h1' } } } }, 200],
      [{ compare: { format: 'extract' } }, 200],
      [{ request }, 400],
    ];
    for (const [body, status] of changes)
      assert.equal(
        (await service.api('PATCH', `/api/v1/monitors/${id}/`, { body })).status,
        status,
        JSON.stringify(body),
      );
  });

  test('`keep` runs stay, and the records of older ones are deleted with them', async () => {
    site.set('/keep', article(PARAGRAPH));
    const id = await makeMonitor(service, {
      request: { url: `${site.url}/keep`, scraper: 'http' },
      keep: 2,
    });
    await runNow(service, id);
    const [oldest] = await runsOf(service, id);
    await runNow(service, id);
    await runNow(service, id);
    await eventually(async () => (await runsOf(service, id)).length === 2);
    assert.deepEqual(
      (await runsOf(service, id)).map(({ n, change }) => [n, change!.state]),
      [
        [3, 'same'],
        [2, 'same'],
      ],
    );
    const recordStatus = async () =>
      (await service.api('GET', `/api/v1/scrape/${oldest!.scrape_id}/`)).status;
    await eventually(async () => (await recordStatus()) === 404);
  });

  test('with jitter the next run is later, within the jitter', async () => {
    const request = { url: `${site.url}/jitter` };
    const schedule = { cron: '0 8 1 1 *', timezone: 'UTC' };
    const id = await makeMonitor(service, { request, schedule, jitter_s: 3_600 });
    const next = async () => {
      const { body } = await service.api('GET', `/api/v1/monitors/${id}/`);
      return new Date((body as { next_run_at: string }).next_run_at).toISOString();
    };
    assert.match(await next(), /^\d{4}-01-01T08:/);
    await service.api('PATCH', `/api/v1/monitors/${id}/`, { body: { jitter_s: 0 } });
    assert.match(await next(), /^\d{4}-01-01T08:00:00\.000Z$/);
  });

  test('a paused monitor shows no next run; a deleted one leaves no records', async () => {
    site.set('/short', article(PARAGRAPH));
    const id = await makeMonitor(service, { request: { url: `${site.url}/short`, scraper: 'http' } });
    await runNow(service, id);
    const [run] = await runsOf(service, id);
    const paused = await service.api('POST', `/api/v1/monitors/${id}/pause/`);
    assert.equal((paused.body as { next_run_at: unknown }).next_run_at, null);
    assert.equal((await service.api('POST', `/api/v1/monitors/${id}/pause/`)).status, 409);
    const resumed = await service.api('POST', `/api/v1/monitors/${id}/resume/`);
    assert.notEqual((resumed.body as { next_run_at: unknown }).next_run_at, null);
    assert.equal((await service.api('DELETE', `/api/v1/monitors/${id}/`)).status, 204);
    assert.equal((await service.api('GET', `/api/v1/monitors/${id}/`)).status, 404);
    assert.equal((await service.api('GET', `/api/v1/scrape/${run!.scrape_id}/`)).status, 404);
  });
});

describe('the webhook of a monitor', () => {
  const site = useChangingSite();

  test('tells of changes, and of errors that last', async (t) => {
    const service = await startService({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
    afterwards(t, () => service.end());
    const receiver = await startReceiver();
    afterwards(t, () => receiver[Symbol.asyncDispose]());
    site.set('/told', article(`${PARAGRAPH}<p>before</p>`));
    const id = await makeMonitor(service, {
      request: { url: `${site.url}/told`, scraper: 'http', router: { max_attempts: 1 } },
      webhook: { url: receiver.url, metadata: { shop: 7 } },
    });
    await runNow(service, id);
    await runNow(service, id);
    site.set('/told', article(`${PARAGRAPH}<p>after</p>`));
    await runNow(service, id);
    site.set('/told', '');
    for (let n = 0; n < 4; n++) assert.equal((await runNow(service, id)).state, 'error');
    await eventually(() => receiver.messages.length >= 2);
    const told = receiver.messages.map(({ body }) => [body.type, body.sequence, body.data.state]);
    assert.deepEqual(told, [
      ['monitor.changed', 3, 'changed'],
      ['monitor.failed', 6, 'error'],
    ]);
    const { data } = receiver.messages[0]!.body;
    assert.partialDeepStrictEqual(data, { id, name: 'town', metadata: { shop: 7 }, run: { n: 3 } });
    await service.api('PATCH', `/api/v1/monitors/${id}/`, { body: { webhook: null } });
    site.set('/told', article(`${PARAGRAPH}<p>unheard</p>`));
    assert.equal((await runNow(service, id)).state, 'changed');
    await service.api('PATCH', `/api/v1/monitors/${id}/`, { body: { webhook: { url: receiver.url } } });
    site.set('/told', article(`${PARAGRAPH}<p>heard</p>`));
    assert.equal((await runNow(service, id)).state, 'changed');
    await eventually(() => receiver.messages.length >= 3);
    assert.equal(receiver.messages[2]!.body.sequence, 9, 'run 8 was not told');
    const refused = await service.api('PATCH', `/api/v1/monitors/${id}/`, {
      body: { webhook: { url: 'http://10.0.0.1/' } },
    });
    assert.equal(refused.status, 400);
    assert.equal((refused.body as { errors: { pointer: string }[] }).errors[0]!.pointer, '/webhook/url');
  });
});

describe('monitors after a crash', () => {
  const site = useChangingSite();

  test('a run that was under way ends once, and its change is not lost', async (t) => {
    const dataDir = tempFolder(t);
    const first = await startService({}, { dataDir });
    site.set('/kept', article(`${PARAGRAPH}<p>before</p>`));
    const id = await makeMonitor(first, { request: { url: `${site.url}/kept`, scraper: 'http' } });
    await runNow(first, id);
    site.set('/kept', article(`${PARAGRAPH}<p>after</p>`));
    await first.api('POST', `/api/v1/monitors/${id}/run/`);
    await first.kill9();
    const second = await startService({}, { dataDir });
    afterwards(t, () => second.end());
    await eventually(async () => (await runsOf(second, id))[0]?.state === 'ended');
    const runs = await runsOf(second, id);
    assert.deepEqual(
      runs.map(({ n, change }) => [n, change!.state]),
      [
        [2, 'changed'],
        [1, 'first'],
      ],
    );
  });
});
