import { Type } from 'typebox';
import { microToCurrency } from '../../base/numbers.ts';
import type { Principal } from '../../domain/account.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { amountOrNull, closed, count, dateTimeOrNull, orNull, textOrNull } from '../../domain/json-schema.ts';
import { vendorScraper } from '../../domain/scrapers.ts';
import { POOLED_TYPES } from '../../domain/task.ts';
import { VENDOR_KINDS, VENDOR_REASONS, type VendorFacts, type VendorKind } from '../../domain/vendors.ts';
import type { SettingEntry, StoredSetting } from '../../ports/settings.ts';
import type { VendorDirectory } from '../../ports/vendors.ts';
import { formatDateTimeOrNull } from '../../wire/date-time.ts';
import { MASK, maskVendor, mergeMembers } from '../../wire/masked-settings.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import { MAX_VENDORS, type VendorJson, VendorSchema } from '../../wire/vendors-file.ts';
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

const VendorObject = closed(
  {
    ...VendorSchema.properties,
    problems: ProblemList,
    state: Type.Enum(['ready', 'left_alone', 'spent', 'unused'], {
      description:
        '`left_alone`: not asked for a while after failures. `spent`: the daily cap is reached. `unused`: see `problems`.',
    }),
    left_alone: orNull(Type.Enum([...VENDOR_REASONS]), {
      description: 'Why it is left alone. null if it is not.',
    }),
    left_alone_since: dateTimeOrNull(
      'Since when it has been left alone again and again. null if it is not left alone.',
    ),
    left_alone_until: dateTimeOrNull('When it is tried again. null if it is not left alone.'),
  },
  { title: 'Vendor', description: 'The key is shown as `***`. `options` are shown as they are.' },
);
const VendorList = closed(
  {
    source: Source,
    items: Type.Array(VendorObject),
    kinds: Type.Array(
      closed({
        kind: Type.Enum([...VENDOR_KINDS]),
        base_url: textOrNull('null: `base_url` must be set.'),
        needs_key: Type.Boolean(),
        proxy_types: Type.Array(Type.Enum([...POOLED_TYPES]), {
          description: 'The value of `proxy_types` if it is not set.',
        }),
      }),
      { description: 'What a vendor can be.' },
    ),
  },
  { title: 'VendorList' },
);

const { key_file: _, ...STORED_MEMBERS } = VendorSchema.properties;
const StoredVendor = closed(STORED_MEMBERS, { title: 'VendorCreate' });

const CREATE = withSafeMessages(
  jsonBody(StoredVendor, {
    examples: { zyte: { name: 'zyte', kind: 'zyte', key: 'your key', auto: true } },
    read: (body): JsonObject => body,
  }),
);
const CHANGE = withSafeMessages(
  jsonBody(closed(patchMembers(StoredVendor), { title: 'VendorPatch' }), {
    nulls: 'kept',
    examples: { auto: { auto: true }, noCap: { daily_cap: null } },
    read: (body): JsonObject => body,
  }),
);

const VendorTest = closed(
  {
    ...TEST_MEMBERS,
    cost_unit: Type.String(),
    cost: amountOrNull('What the request cost, in `cost_unit`. null if it is not known.'),
    cost_source: orNull(Type.Enum(['reported', 'estimated', 'unknown']), {
      description: 'As in `scraper_data.vendor`. null if the vendor was not asked.',
    }),
    credits: orNull(Type.Number(), { description: 'Credits that the vendor says it charged.' }),
  },
  { title: 'VendorTest' },
);
const TEST = jsonBody(closed({ url: TestUrl }, { title: 'VendorTestRequest' }), {
  examples: { page: { url: 'https://example.com/' } },
});

function vendorObject({ json: entry, problems }: SettingEntry, vendors: readonly VendorFacts[]) {
  const facts = vendors.find(({ scraper }) => scraper === vendorScraper(entry.name as string));
  const pause = facts === undefined || facts.resting() === null ? null : facts.outage();
  return {
    ...(maskVendor(entry) as unknown as VendorJson),
    problems: [...problems],
    state: stateOf(problems.length > 0 ? undefined : facts),
    left_alone: pause?.reason ?? null,
    left_alone_since: formatDateTimeOrNull(pause?.since ?? null),
    left_alone_until: formatDateTimeOrNull(pause?.until ?? null),
  };
}

function stateOf(facts: VendorFacts | undefined): 'ready' | 'left_alone' | 'spent' | 'unused' {
  if (facts === undefined) return 'unused';
  if (facts.isSpent()) return 'spent';
  return facts.resting() === null ? 'ready' : 'left_alone';
}

/** @throws Refusal */
function refuseProblems(directory: VendorDirectory, entry: StoredSetting['json']): void {
  const masked: Problems = [];
  if (entry.key === MASK) addProblem(masked, '/key', `is ${MASK}, which masks a stored key: send the key`);
  const problems = [...masked, ...directory.problems(entry)];
  if (problems.length > 0) throw new Refusal(safeProblems(problems));
}

async function testVendor(
  deps: EndpointDeps,
  name: string,
  url: string,
  principal: Principal,
  request: Parameters<typeof runTest>[3],
) {
  const scraper = vendorScraper(name);
  const facts = deps.vendorDirectory.list().find((vendor) => vendor.scraper === scraper);
  if (facts === undefined) throw notFoundRefusal('vendor');
  const task = testTask(url, scraper, principal);
  const step = { scraper, proxyType: facts.proxyTypes[0]! };
  const { result, vendor } = await runTest(deps, { task, step, lease: null }, principal, request);
  const cost = vendor === undefined ? 0 : vendor.cost;
  deps.accounts.spend(principal, cost ?? 0);
  return {
    ...result,
    cost_unit: deps.prices?.currency ?? EFFORT_UNIT,
    cost: cost === null ? null : microToCurrency(cost),
    cost_source: vendor?.costSource ?? null,
    credits: vendor?.credits ?? null,
  };
}

const Count = Type.Integer({ minimum: 0 });
const VendorCounts = {
  requests: Count,
  ok: count('Requests that returned a page.'),
  failed: count('Requests that failed: `vendor.failed`.'),
  cost: amountOrNull('In `cost_unit`, without requests whose cost is not known. null if none is known.'),
};
const VendorHistory = closed(
  {
    ...HISTORY_MEMBERS,
    cost_unit: Type.String(),
    vendors: Type.Array(
      closed(
        {
          name: Type.String(),
          totals: closed(VendorCounts, { title: 'VendorTotals' }),
          points: Type.Array(
            closed(
              {
                at: Type.String({ format: 'date-time' }),
                ...VendorCounts,
                left_alone: orNull(Type.Boolean(), {
                  description: 'Whether the vendor was left alone for a part of the step. null: unknown.',
                }),
              },
              { title: 'VendorPoint' },
            ),
          ),
        },
        { title: 'VendorHistoryItem' },
      ),
    ),
  },
  { title: 'VendorHistory' },
);

const VENDOR_NAME = { name: { description: 'Name of the vendor.', schema: Type.String() } };
const VENDORS_IN_FILE = IN_FILE('SLUICE_VENDORS');

export const VENDORS = [
  endpoint({
    method: 'get',
    path: '/api/v1/vendors/',
    operationId: 'listVendors',
    summary: 'List vendors',
    description: 'Those of the file that `SLUICE_VENDORS` names; if it is not set, those of the database.',
    access: 'role:admin',
    responses: { 200: json('The vendors.', VendorList) },
    handler: (_call, { vendorDirectory: directory }) => ({
      source: directory.file() === null ? ('database' as const) : ('file' as const),
      items: directory.entries().map((entry) => vendorObject(entry, directory.list())),
      kinds: (Object.keys(directory.kinds) as VendorKind[]).toSorted().map((kind) => ({
        kind,
        base_url: directory.kinds[kind].baseUrl,
        needs_key: directory.kinds[kind].needsKey,
        proxy_types: [...directory.kinds[kind].proxyTypes],
      })),
    }),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/vendors/',
    operationId: 'createVendor',
    summary: 'Create a vendor',
    description:
      'The members are those of the file of vendors, without `key_file`. The vendor can be used at once, by all replicas. Its key is stored encrypted.',
    access: 'role:admin',
    body: CREATE,
    responses: { 201: json('The vendor.', VendorObject), 409: VENDORS_IN_FILE },
    audit: (_, { name }) => ({ action: 'vendor.created', target: { type: 'vendor', id: String(name) } }),
    handler: async ({ body }, { settings, vendorDirectory: directory }) => {
      refuseFile(directory.file(), 'SLUICE_VENDORS');
      refuseProblems(directory, body);
      const setting = { name: body.name as string, json: body };
      refuseUncreated(await settings.create('vendor', setting, MAX_VENDORS), 'vendor', MAX_VENDORS);
      return vendorObject({ ...setting, problems: [] }, directory.list());
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/vendors/{name}/',
    operationId: 'getVendor',
    summary: 'Get a vendor',
    access: 'role:admin',
    params: VENDOR_NAME,
    responses: { 200: json('The vendor.', VendorObject) },
    handler: ({ params }, { vendorDirectory: directory }) =>
      vendorObject(entryOf(directory.entries(), params.name, 'vendor'), directory.list()),
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/vendors/{name}/',
    operationId: 'changeVendor',
    summary: 'Change a vendor',
    description: 'A member that is null is removed; one that is missing stays. The key `***` stays, too.',
    access: 'role:admin',
    params: VENDOR_NAME,
    body: CHANGE,
    responses: { 200: json('The vendor.', VendorObject), 409: VENDORS_IN_FILE },
    audit: ({ name }) => ({ action: 'vendor.updated', target: { type: 'vendor', id: name } }),
    handler: async ({ params, body }, { settings, vendorDirectory: directory }) => {
      refuseFile(directory.file(), 'SLUICE_VENDORS');
      const { key, ...rest } = body;
      const change = key === undefined || key === MASK ? rest : body;
      const changed = await settings.change('vendor', params.name, (before) => {
        const merged = mergeMembers(before, change);
        refuseProblems(directory, merged);
        return merged;
      });
      if (changed === null) throw notFoundRefusal('vendor');
      return vendorObject({ json: changed, problems: [] }, directory.list());
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/vendors/{name}/',
    operationId: 'deleteVendor',
    summary: 'Delete a vendor',
    description: 'Running requests to it end.',
    access: 'role:admin',
    params: VENDOR_NAME,
    responses: { 204: nothing('Deleted.'), 409: VENDORS_IN_FILE },
    audit: ({ name }) => ({ action: 'vendor.deleted', target: { type: 'vendor', id: name } }),
    handler: async ({ params }, { settings, vendorDirectory: directory }) => {
      refuseFile(directory.file(), 'SLUICE_VENDORS');
      if (!(await settings.delete('vendor', params.name))) throw notFoundRefusal('vendor');
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/vendors/{name}/test/',
    operationId: 'testVendor',
    summary: 'Test a vendor',
    description:
      'Makes one real request through the vendor, which may cost money, also while it is left alone. It counts like any other.',
    access: 'role:admin',
    needsPermit: true,
    params: VENDOR_NAME,
    body: TEST,
    responses: { 200: json('The result. The status is 200 whatever it is.', VendorTest) },
    handler: async ({ params, body, principal, request }, deps) => {
      const work = testVendor(deps, params.name, body.url, principal, request);
      // The permit is held until the work has settled, even if the caller disconnects.
      request.work = work;
      return await work;
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/vendors/history/',
    operationId: 'getVendorHistory',
    summary: 'Get the vendors over time',
    description:
      'Of all replicas together; other replicas with a delay of at most a minute. Minutes are kept for a day, hours for 90 days.',
    access: 'role:admin',
    query: HISTORY_QUERY,
    responses: { 200: json('The figures.', VendorHistory) },
    handler: async ({ query }, { store, sampler, clock, prices }) => {
      await sampler.flush();
      const { members, series } = await readHistory(store.samples, 'vendor', {
        ...query,
        now: clock.now(),
      });
      const countsOf = (value: (metric: 'requests' | 'ok' | 'failed' | 'cost') => number | null) => {
        const cost = value('cost');
        return {
          requests: value('requests') ?? 0,
          ok: value('ok') ?? 0,
          failed: value('failed') ?? 0,
          cost: cost === null ? null : microToCurrency(cost),
        };
      };
      return {
        ...members,
        cost_unit: prices?.currency ?? EFFORT_UNIT,
        vendors: series.map(({ name, total, points }) => ({
          name,
          totals: countsOf(total),
          points: points.map(({ at, value }) => {
            const leftAlone = value('left_alone');
            return { at, ...countsOf(value), left_alone: leftAlone === null ? null : leftAlone > 0 };
          }),
        })),
      };
    },
  }),
];
