import { Type } from 'typebox';
import { microToCurrency } from '../../base/numbers.ts';
import type { Principal } from '../../domain/account.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { amountOrNull, closed, count, orNull } from '../../domain/json-schema.ts';
import type { SettingEntry, StoredSetting } from '../../ports/settings.ts';
import { maskPool, mergeMembers, unmaskPool } from '../../wire/masked-settings.ts';
import { type PoolJson, PoolSchema, readPoolEntry } from '../../wire/pools-file.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { notFoundRefusal, Refusal } from '../core/refusal.ts';
import { json, nothing } from '../core/responses.ts';
import { HISTORY_MEMBERS, HISTORY_QUERY, readHistory } from '../operations/history.ts';
import {
  entryOf,
  IN_FILE,
  ProblemList,
  patchMembers,
  refuseFile,
  refuseUncreated,
  Source,
  safeProblems,
  withSafeMessages,
} from '../operations/setting-entries.ts';
import { runTest, TEST_MEMBERS, TestUrl, testTask } from '../operations/test-exits.ts';

/** As in the file. */
const MAX_POOLS = 1_000;
const MAX_TESTED = 20;
const DEFAULT_TESTED = 5;
/** Exits that are tested at once. */
const TESTED_AT_ONCE = 5;

const PoolSettings = closed(
  { ...PoolSchema.properties, problems: ProblemList },
  { title: 'PoolSettings', description: 'Credentials are shown as `***`.' },
);
const PoolSettingsList = closed(
  {
    source: Source,
    allow_none: Type.Boolean({ description: 'Whether requests may choose no proxy (`none`).' }),
    items: Type.Array(PoolSettings),
  },
  { title: 'PoolSettingsList' },
);

const EXAMPLE_POOL = {
  name: 'own',
  type: 'datacenter',
  countries: ['DE'],
  proxies: ['http://user:password@192.0.2.10:3128'],
};

const CREATE = withSafeMessages(
  jsonBody(PoolSchema, {
    examples: {
      list: EXAMPLE_POOL,
      template: {
        name: 'provider',
        type: 'residential',
        countries: ['DE', 'US'],
        template: 'http://customer-me-cc-{country}-sessid-{session}:password@gate.example:7777',
        price_per_gb: 4.5,
      },
    },
    read(body, problems): PoolJson {
      const pool = unmaskPool(body as unknown as PoolJson, {}, problems);
      readPoolEntry(pool, '', problems);
      return pool;
    },
  }),
);
const CHANGE = withSafeMessages(
  jsonBody(closed(patchMembers(PoolSchema), { title: 'PoolPatch' }), {
    nulls: 'kept',
    examples: { price: { price_per_gb: 3.9 }, noLimit: { concurrency_per_proxy: null } },
    read: (body): JsonObject => body,
  }),
);

const PoolTest = closed(
  {
    cost_unit: Type.String(),
    cost: amountOrNull('What the test cost, in `cost_unit`. null if a part of it has no price.'),
    exits: count('Proxies of the pool, or countries of its template.'),
    items: Type.Array(
      closed(
        {
          server: Type.String({ description: 'Scheme, host and port.' }),
          country: orNull(Type.String()),
          ...TEST_MEMBERS,
        },
        { title: 'ExitTest' },
      ),
    ),
  },
  { title: 'PoolTest' },
);
const TEST = jsonBody(
  closed(
    {
      url: TestUrl,
      max_exits: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_TESTED,
          default: DEFAULT_TESTED,
          description: 'Exits to test, the first ones of the pool.',
        }),
      ),
    },
    { title: 'PoolTestRequest' },
  ),
  { examples: { one: { url: 'https://example.com/', max_exits: 1 } } },
);

const settingsObject = ({ json: entry, problems }: SettingEntry) => ({
  ...(maskPool(entry as unknown as PoolJson) as PoolJson),
  problems: [...problems],
});

/** The pool with the changed members, which it was checked with. @throws Refusal */
function changedPool(before: StoredSetting['json'], change: JsonObject): StoredSetting['json'] {
  const problems: Problems = [];
  const merged = mergeMembers(before, change) as unknown as PoolJson;
  // What is not changed has no masks.
  const pool = unmaskPool(merged, before as unknown as PoolJson, problems);
  readPoolEntry(pool, '', problems);
  if (problems.length > 0) throw new Refusal(safeProblems(problems));
  return pool as unknown as StoredSetting['json'];
}

/** Tests exits, a few at once. The results are in the order of the exits. */
async function testPool(
  deps: EndpointDeps,
  name: string,
  { url, max_exits: most = DEFAULT_TESTED }: { readonly url: string; readonly max_exits?: number },
  principal: Principal,
  request: Parameters<typeof runTest>[3],
) {
  const { proxyPools, accounts, prices } = deps;
  const exits = proxyPools.testExits(name, most);
  if (exits === null) throw notFoundRefusal('pool');
  const task = testTask(url, 'http', principal);
  const results: Awaited<ReturnType<typeof runTest>>[] = [];
  const waiting = [...exits.entries()];
  const testNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, exit] = next;
      const lease = exit.lease();
      try {
        const step = { scraper: 'http', proxyType: lease.proxyType } as const;
        results[index] = await runTest(deps, { task, step, lease }, principal, request);
      } finally {
        lease.release();
      }
    }
  };
  await Promise.all(Array.from({ length: TESTED_AT_ONCE }, testNext));
  const cost = results.some((result) => result.cost === null)
    ? null
    : results.reduce((sum, result) => sum + result.cost!, 0);
  accounts.spend(principal, cost ?? 0);
  return {
    cost_unit: prices?.currency ?? EFFORT_UNIT,
    cost: cost === null ? null : microToCurrency(cost),
    exits: proxyPools.testExits(name, Number.POSITIVE_INFINITY)?.length ?? exits.length,
    items: exits.map(({ server, country }, index) => ({ server, country, ...results[index]!.result })),
  };
}

const Count = Type.Integer({ minimum: 0 });
const PoolCounts = {
  attempts: Count,
  ok: count('Attempts that returned a page.'),
  failed: count('Attempts that failed because of the proxy.'),
  blocked: count('Pages that were blocked.'),
  bytes: count('Sent and received.'),
  cost: amountOrNull('In `cost_unit`. null if no price is configured.'),
};
const ProxyHistory = closed(
  {
    ...HISTORY_MEMBERS,
    cost_unit: Type.String(),
    pools: Type.Array(
      closed(
        {
          name: Type.String(),
          totals: closed(PoolCounts, { title: 'PoolTotals' }),
          points: Type.Array(
            closed(
              {
                at: Type.String({ format: 'date-time' }),
                ...PoolCounts,
                healthy: orNull(Count, { description: 'Lowest number of healthy proxies. null: unknown.' }),
                proxies: orNull(Count, { description: 'Highest number of proxies. null: unknown.' }),
              },
              { title: 'PoolPoint' },
            ),
          ),
        },
        { title: 'PoolHistory' },
      ),
    ),
  },
  { title: 'ProxyHistory' },
);

const POOL_NAME = { name: { description: 'Name of the pool.', schema: Type.String() } };
const POOLS_IN_FILE = IN_FILE('SLUICE_PROXIES');

export const PROXY_POOLS = [
  endpoint({
    method: 'patch',
    path: '/api/v1/proxies/',
    operationId: 'changeProxies',
    summary: 'Change what concerns all proxies',
    access: 'role:admin',
    body: jsonBody(
      closed(
        { allow_none: Type.Boolean({ description: 'Whether requests may choose no proxy (`none`).' }) },
        { title: 'ProxiesPatch' },
      ),
      { examples: { allow: { allow_none: true } } },
    ),
    responses: { 204: nothing('Changed.'), 409: POOLS_IN_FILE },
    audit: () => ({ action: 'proxies.updated', target: null }),
    handler: async ({ body }, { settings, proxyPools }) => {
      refuseFile(proxyPools.file(), 'SLUICE_PROXIES');
      const setting = { name: 'all', json: body };
      if ((await settings.create('proxies', setting, 1)) !== 'created')
        await settings.change('proxies', setting.name, () => body);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/proxies/pools/',
    operationId: 'listPoolSettings',
    summary: 'List the settings of proxy pools',
    description: 'Those of the file that `SLUICE_PROXIES` names; if it is not set, those of the database.',
    access: 'role:admin',
    responses: { 200: json('The pools.', PoolSettingsList) },
    handler: (_call, { proxyPools }) => ({
      source: proxyPools.file() === null ? ('database' as const) : ('file' as const),
      allow_none: proxyPools.state().allowNone,
      items: proxyPools.entries().map(settingsObject),
    }),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/proxies/pools/',
    operationId: 'createPool',
    summary: 'Create a proxy pool',
    description:
      'The members are those of the file of pools. The pool is used at once, by all replicas. Credentials are stored encrypted.',
    access: 'role:admin',
    body: CREATE,
    responses: { 201: json('The pool.', PoolSettings), 409: POOLS_IN_FILE },
    audit: (_, { name }) => ({ action: 'pool.created', target: { type: 'pool', id: name } }),
    handler: async ({ body }, { settings, proxyPools }) => {
      refuseFile(proxyPools.file(), 'SLUICE_PROXIES');
      const setting = { name: body.name, json: body as unknown as StoredSetting['json'] };
      refuseUncreated(await settings.create('pool', setting, MAX_POOLS), 'pool', MAX_POOLS);
      return settingsObject({ ...setting, problems: [] });
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/proxies/pools/{name}/',
    operationId: 'getPoolSettings',
    summary: 'Get the settings of a proxy pool',
    access: 'role:admin',
    params: POOL_NAME,
    responses: { 200: json('The pool.', PoolSettings) },
    handler: ({ params }, { proxyPools }) =>
      settingsObject(entryOf(proxyPools.entries(), params.name, 'pool')),
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/proxies/pools/{name}/',
    operationId: 'changePool',
    summary: 'Change a proxy pool',
    description:
      'A member that is null is removed; one that is missing stays. A proxy or template with `***` keeps its stored credentials.',
    access: 'role:admin',
    params: POOL_NAME,
    body: CHANGE,
    responses: { 200: json('The pool.', PoolSettings), 409: POOLS_IN_FILE },
    audit: ({ name }) => ({ action: 'pool.updated', target: { type: 'pool', id: name } }),
    handler: async ({ params, body }, { settings, proxyPools }) => {
      refuseFile(proxyPools.file(), 'SLUICE_PROXIES');
      const changed = await settings.change('pool', params.name, (before) => changedPool(before, body));
      if (changed === null) throw notFoundRefusal('pool');
      return settingsObject({ json: changed, problems: [] });
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/proxies/pools/{name}/',
    operationId: 'deletePool',
    summary: 'Delete a proxy pool',
    description: 'Running attempts end through its proxies.',
    access: 'role:admin',
    params: POOL_NAME,
    responses: { 204: nothing('Deleted.'), 409: POOLS_IN_FILE },
    audit: ({ name }) => ({ action: 'pool.deleted', target: { type: 'pool', id: name } }),
    handler: async ({ params }, { settings, proxyPools }) => {
      refuseFile(proxyPools.file(), 'SLUICE_PROXIES');
      if (!(await settings.delete('pool', params.name))) throw notFoundRefusal('pool');
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/proxies/pools/{name}/test/',
    operationId: 'testPool',
    summary: 'Test the proxies of a pool',
    description:
      'Fetches the URL once through each of the first proxies, or countries of a template, also through one that is paused. These are attempts like others: they count, cost, and can end a pause. Takes at most 20 s for each five proxies.',
    access: 'role:admin',
    needsPermit: true,
    params: POOL_NAME,
    body: TEST,
    responses: { 200: json('The results. The status is 200 whatever they are.', PoolTest) },
    handler: async ({ params, body, principal, request }, deps) => {
      const work = testPool(deps, params.name, body, principal, request);
      // The permit is held until the work has settled, even if the caller disconnects.
      request.work = work;
      return await work;
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/proxies/history/',
    operationId: 'getProxyHistory',
    summary: 'Get the proxy pools over time',
    description:
      'Of all replicas together; other replicas with a delay of at most a minute. Of at most 100 pools. Minutes are kept for a day, hours for 90 days.',
    access: 'role:admin',
    query: HISTORY_QUERY,
    responses: { 200: json('The figures.', ProxyHistory) },
    handler: async ({ query }, { store, sampler, clock, prices }) => {
      await sampler.flush();
      const { members, series } = await readHistory(store.samples, 'pool', { ...query, now: clock.now() });
      const countsOf = (
        value: (metric: 'attempts' | 'ok' | 'failed' | 'blocked' | 'bytes' | 'cost') => number | null,
      ) => {
        const cost = value('cost');
        return {
          attempts: value('attempts') ?? 0,
          ok: value('ok') ?? 0,
          failed: value('failed') ?? 0,
          blocked: value('blocked') ?? 0,
          bytes: value('bytes') ?? 0,
          cost: cost === null ? null : microToCurrency(cost),
        };
      };
      return {
        ...members,
        cost_unit: prices?.currency ?? EFFORT_UNIT,
        pools: series.map(({ name, total, points }) => ({
          name,
          totals: countsOf(total),
          points: points.map(({ at, value }) => ({
            at,
            ...countsOf(value),
            healthy: value('healthy'),
            proxies: value('proxies'),
          })),
        })),
      };
    },
  }),
];
