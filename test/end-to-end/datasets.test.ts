import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import { endOf, startBatch } from './job-calls.ts';
import { useChangingSite } from './monitoring.ts';
import { makeSchedule, runScheduleNow, SCHEDULES } from './scheduling.ts';

const DATASETS = '/api/v1/datasets/';

interface Row {
  readonly row: number;
  readonly run: number;
  readonly url: string;
  readonly index: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly change: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
}

interface Dataset {
  readonly id: string;
  readonly rows: number;
  readonly dropped: number;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nulls: number }[];
}

describe('datasets', () => {
  const site = useChangingSite();
  const service = useService();
  const make = async (body: object = {}) => {
    const made = await service.api('POST', DATASETS, { body: { name: 'Prices', ...body } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return (made.body as { id: string }).id;
  };
  const datasetOf = async (id: string) => (await service.api('GET', `${DATASETS}${id}/`)).body as Dataset;
  const settled = (id: string) =>
    eventually(async () => {
      const { items } = (await service.api('GET', `${DATASETS}${id}/runs/`)).body as {
        items: { state: string }[];
      };
      return items.length > 0 && items.every(({ state }) => state === 'ended');
    });
  /** All rows, read in pages of `limit`. */
  const rowsOf = async (id: string, query: Record<string, unknown> = {}, limit = 200): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const search = new URLSearchParams({ limit: String(limit), ...(cursor === '' ? {} : { cursor }) });
      for (const [name, value] of Object.entries(query))
        search.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
      const { status, body } = await service.api('GET', `${DATASETS}${id}/rows/?${search}`);
      assert.equal(status, 200, JSON.stringify(body));
      const page = body as { items: Row[]; next_cursor: string | null };
      rows.push(...page.items);
      cursor = page.next_cursor;
    }
    return rows;
  };
  /** A page with products as JSON-LD would be one row each; here by `json` of an embedded object. */
  const shop = (path: string, products: readonly object[]) =>
    site.set(
      path,
      `<title>${path}</title><ul>${products.map((p) => `<li data-p='${JSON.stringify(p)}'></li>`).join('')}</ul>`,
    );
  const product = (path: string, fields: Record<string, string>) =>
    site.set(
      path,
      `<title>${path}</title>${Object.entries(fields)
        .map(([k, v]) => `<p class="${k}">${v}</p>`)
        .join('')}`,
    );
  const EXTRACT = { name: '.name', price: '.price', note: '.note' };
  const batch = (paths: readonly string[]) => ({
    requests: paths.map((path) => ({ url: `${site.url}${path}` })),
    defaults: { scraper: 'http', scraper_options: { extract: EXTRACT } },
    retries: 0,
  });

  test('the results of the runs of a schedule are rows; runs are compared', async () => {
    product('/d/1', { name: 'Anvil', price: '10' });
    product('/d/2', { name: 'Bolt', price: '2' });
    const id = await make();
    const schedule = await makeSchedule(service, {
      job: { kind: 'batch', ...batch(['/d/1', '/d/2', '/d/3']) },
      dataset: id,
    });
    assert.equal((await runScheduleNow(service, schedule)).state, 'ended');
    await settled(id);
    assert.equal((await rowsOf(id)).length, 2, 'a page that is not there is no row');
    product('/d/1', { name: 'Anvil', price: '12' });
    site.remove('/d/2');
    product('/d/3', { name: 'Cog', price: '5', note: 'new' });
    await runScheduleNow(service, schedule);
    await settled(id);
    const { columns, rows } = await datasetOf(id);
    assert.deepEqual(
      columns.map(({ name, type }) => [name, type]),
      [
        ['name', 'text'],
        ['price', 'text'],
        ['note', 'text'],
      ],
    );
    assert.equal(rows, 4);
    const names = (list: readonly Row[]) => list.map(({ run, values }) => `${run} ${values.name}`).toSorted();
    assert.deepEqual(names(await rowsOf(id, { run: 2 })), ['2 Anvil', '2 Cog']);
    const differences = await rowsOf(id, { diff_to: 1 }, 1);
    assert.deepEqual(
      differences
        .map(({ change, values, before }) => [change, values.name, values.price, before?.price ?? null])
        .toSorted(),
      [
        ['changed', 'Anvil', '12', '10'],
        ['gone', 'Bolt', '2', null],
        ['new', 'Cog', '5', null],
      ],
    );
    assert.deepEqual((await rowsOf(id, { run: 1, diff_to: 2 })).map(({ change }) => change).toSorted(), [
      'changed',
      'gone',
      'new',
    ]);

    await service.api('DELETE', `${DATASETS}${id}/`);
    assert.equal((await service.api('GET', `${DATASETS}${id}/`)).status, 404);
    const { body } = await service.api('GET', `${SCHEDULES}${schedule}/`);
    assert.equal((body as { dataset: null }).dataset, null, 'a deleted dataset is named no more');
    assert.equal((await runScheduleNow(service, schedule)).job_state, 'done');
  });

  test('two jobs are added at once; a dataset that is deleted meanwhile stops neither', async () => {
    const list = (from: number) =>
      Array.from({ length: 900 }, (_, n) => `<li><b>${from + n}</b><i>word ${n % 7}</i></li>`).join('');
    site.set('/many/1', `<ul>${list(0)}</ul>`);
    site.set('/many/2', `<ul>${list(900)}</ul>`);
    const rule = {
      selector: 'li',
      type: 'list',
      output: { n: { selector: 'b', transform: 'number' }, w: 'i' },
    };
    const jobs = await Promise.all(
      ['/many/1', '/many/2'].map((path) =>
        startBatch(service, {
          requests: [{ url: `${site.url}${path}` }],
          defaults: { scraper: 'http', scraper_options: { extract: { rows: rule } } },
          retries: 0,
        }),
      ),
    );
    for (const job of jobs) await endOf(service, job);
    const [id, other] = [await make(), await make()];
    const add = (dataset: string, job: string) =>
      service.api('POST', `${DATASETS}${dataset}/import/`, { body: { job_id: job } });
    const added = await Promise.all([...jobs.map((job) => add(id, job)), add(other, jobs[0]!)]);
    assert.deepEqual(
      added.map(({ status }) => status),
      [202, 202, 202],
    );
    assert.equal((await service.api('DELETE', `${DATASETS}${other}/`)).status, 204);
    await settled(id);
    assert.equal((await datasetOf(id)).rows, 1_800);
    const { text } = await service.api('GET', `${DATASETS}${id}/export/?format=jsonl`);
    const numbers = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Row).values.n as number);
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 1_800 }, (_, n) => n),
    );
    const least = await rowsOf(id, { sort: 'n', filter: [{ column: 'w', op: 'eq', value: 'WORD 3' }] });
    assert.deepEqual(
      least.map(({ values }) => values.n),
      Array.from({ length: 1_800 }, (_, n) => n).filter((n) => (n % 900) % 7 === 3),
    );
    assert.equal((await service.api('GET', `${DATASETS}${other}/rows/`)).status, 404);
  });

  test('rows are filtered and sorted, page by page, in one order', async () => {
    const prices = [3, 20, 100, 7, 20, -1, 0.5, 12, 20, 8, 1e6];
    const paths = prices.map((price, n) => {
      product(`/s/${n}`, {
        name: `Item ${String.fromCharCode(65 + n)}`,
        ...(n === 3 ? {} : { note: n % 2 === 0 ? 'even' : 'Odd one' }),
      });
      shop(`/s/${n}`, []);
      site.set(
        `/s/${n}`,
        `<title>T${n}</title><p class="name">Item ${String.fromCharCode(65 + n)}</p><script type="application/json" id="d">{"price":${price}}</script>${n === 3 ? '' : `<p class="note">${n % 2 === 0 ? 'even' : 'Odd one'}</p>`}`,
      );
      return `/s/${n}`;
    });
    const id = await make({ columns: [{ name: 'name', type: 'text' }] });
    const job = await startBatch(service, batch(paths));
    await endOf(service, job);
    const imported = await service.api('POST', `${DATASETS}${id}/import/`, { body: { job_id: job } });
    assert.deepEqual([imported.status, imported.body], [202, { n: 1 }]);
    assert.equal(
      (await service.api('POST', `${DATASETS}${id}/import/`, { body: { job_id: job } })).status,
      409,
    );
    await settled(id);
    const names = async (query: Record<string, unknown>, limit?: number) =>
      (await rowsOf(id, query, limit)).map(({ values }) => String(values.name).slice(-1)).join('');
    for (const limit of [1, 3, 200]) {
      assert.equal(await names({ sort: 'name' }, limit), 'ABCDEFGHIJK');
      assert.equal(await names({ sort: '-name' }, limit), 'KJIHGFEDCBA');
      const byNote = await names({ sort: 'note' }, limit);
      assert.equal(byNote.slice(-1), 'D', 'null comes last');
      assert.deepEqual([...byNote.slice(0, 6)].toSorted().join(''), 'ACEGIK');
      assert.equal((await names({ sort: '-note' }, limit)).slice(-1), 'D');
      const odd = [{ column: 'note', op: 'starts', value: 'odd' }];
      assert.equal(await names({ filter: odd, sort: 'name' }, limit), 'BFHJ');
    }
    assert.equal(await names({ filter: [{ column: 'note', op: 'null' }] }), 'D');
    assert.equal(
      await names({ filter: [{ column: '$url', op: 'contains', value: '/S/1' }], sort: 'name' }),
      'BK',
    );
    assert.equal(await names({ filter: [{ column: '$status', op: 'ge', value: 201 }] }), '');
    const both = [
      { column: 'name', op: 'gt', value: 'item c' },
      { column: 'note', op: 'eq', value: 'EVEN' },
    ];
    assert.equal(await names({ filter: both, sort: '-name' }), 'KIGE');

    const csv = (await service.api('GET', `${DATASETS}${id}/export/?format=csv`)).text;
    assert.match(csv, /^run,url,index,status,title,scrape,name,note\r\n1,/);
    assert.equal(csv.trim().split('\r\n').length, 12);
    assert.equal((await service.api('GET', `${DATASETS}${id}/export/?format=xlsx`)).status, 200);
    const line = (await service.api('GET', `${DATASETS}${id}/export/?format=jsonl&run=1`)).text.split(
      '\n',
    )[0]!;
    assert.partialDeepStrictEqual(JSON.parse(line), { run: 1, index: 0, values: { name: 'Item A' } });
  });

  test('what is no query, and what is of others, is refused', async () => {
    const id = await make({
      columns: [
        { name: 'n', type: 'number' },
        { name: 'j', type: 'json' },
      ],
    });
    const status = async (query: string) =>
      (await service.api('GET', `${DATASETS}${id}/rows/?${query}`)).status;
    for (const query of [
      'filter=x',
      'filter={}',
      'filter=[{"column":"none","op":"eq","value":1}]',
      'filter=[{"column":"n","op":"eq","value":"1"}]',
      'filter=[{"column":"n","op":"is","value":1}]',
      'filter=[{"column":"j","op":"lt","value":1}]',
      'filter=[{"column":"n","op":"null","value":1}]',
      'filter=[{"column":"n","op":"eq","value":1,"more":1}]',
      'sort=none',
      'sort=j',
      'run=1',
      'diff_to=1',
      'cursor=zz',
      'limit=201',
    ])
      assert.equal(await status(query), 400, query);
    assert.equal(await status('sort=-n'), 200);
    const { key } = await createUser(service);
    for (const path of ['', 'rows/', 'runs/', 'export/'])
      assert.equal((await service.api('GET', `${DATASETS}${id}/${path}`, { key })).status, 404);
    const refused = await service.api('POST', SCHEDULES, {
      body: { name: 's', job: { kind: 'scrape', url: site.url }, schedule: { every_s: 60 }, dataset: id },
      key,
    });
    assert.deepEqual(
      [refused.status, (refused.body as { errors: { pointer: string }[] }).errors[0]!.pointer],
      [400, '/dataset'],
    );
    const own = [
      { name: 'a', type: 'text' },
      { name: 'a', type: 'number' },
    ];
    assert.equal((await service.api('POST', DATASETS, { body: { name: 'd', columns: own } })).status, 400);
    assert.equal((await service.api('PATCH', `${DATASETS}${id}/`, { body: { name: 'other' } })).status, 200);
    assert.equal((await datasetOf(id)).rows, 0);
  });
});
