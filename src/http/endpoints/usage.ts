import { Type } from 'typebox';
import type { Accounts } from '../../account/accounts.ts';
import { microToCurrency } from '../../base/numbers.ts';
import type { Principal } from '../../domain/account.ts';
import { EFFORT_UNIT, type Prices } from '../../domain/cost.ts';
import { amountOrNull, closed, count, dateTime, orNull, textOrNull } from '../../domain/json-schema.ts';
import type { Estimate, UsageFigures } from '../../domain/usage.ts';
import { formatDateTime, formatDateTimeOrNull } from '../../wire/date-time.ts';
import { csvLine } from '../../wire/record/record-list.ts';
import { endpoint } from '../core/endpoint.ts';
import { json, text } from '../core/responses.ts';
import { ttlCache } from '../core/ttl-cache.ts';
import {
  type MonthForecast,
  type UsageChange,
  type UsageReport,
  usageReport,
} from '../operations/usage-figures.ts';
import {
  USAGE_BY,
  USAGE_EXPORT_QUERY,
  USAGE_QUERY,
  type UsageBy,
  type UsageFormat,
  type UsageParameters,
} from '../operations/usage-query.ts';

const DateTime = Type.String({ format: 'date-time' });
const Cost = amountOrNull(
  'In `cost_unit`, attempts that failed included. null: the cost of no attempt is known.',
);

const SUMS = {
  scrapes: count('Without dry runs.'),
  ok: count('Scrapes with outcome `ok`.'),
  failed: count('Scrapes with outcome `failed`.'),
  blocked: count('Scrapes with outcome `blocked`.'),
  attempts: count('With the calls of the language model.'),
  cost: Cost,
  unpriced: count(
    'Attempts that are missing in `cost`: without a price, or paid in another currency than that of today.',
  ),
  bytes: count('Total size of the contents returned.'),
  traffic_bytes: count('Sent and received by the attempts.'),
};
const Sums = closed(SUMS, { title: 'UsageSums' });
const Share = orNull(Type.Number());
const Change = closed(
  { scrapes: Share, cost: Share },
  {
    title: 'UsageChange',
    description:
      'Change per unit of time, because the last step is still running: 0.5 is half more, -1 is nothing any more. null: there was nothing before, or it is not known.',
  },
);
const EstimateSchema = orNull(
  closed(
    { value: Type.Number(), low: Type.Number(), high: Type.Number() },
    { title: 'UsageEstimate', description: 'Of the whole month.' },
  ),
);

const Item = closed(
  {
    name: textOrNull(
      'Start of the day or hour; id of the key or user; host; scraper (`model`: the language model); proxy type; vendor; outcome. null: a session instead of a key, no attempt, or no vendor.',
    ),
    label: textOrNull(
      'Name of the key, e-mail address of the user. null for other items, and if it is not known any more.',
    ),
    user_id: orNull(Type.String({ format: 'uuid' }), {
      description: 'Owner of the key; null for other items.',
    }),
    ...SUMS,
    previous: orNull(Sums, {
      description: 'In the time before. null for days and hours, and if it is not known.',
    }),
    change: Change,
  },
  { title: 'UsageItem' },
);

const Budget = closed(
  {
    key_id: Type.String(),
    name: Type.String(),
    user_id: Type.String({ format: 'uuid' }),
    amount: Type.Number({ minimum: 0 }),
    unit: Type.Enum(['scrapes', 'cost']),
    used: Type.Number({ minimum: 0, description: 'Since 00:00 UTC.' }),
  },
  { title: 'UsageBudget' },
);

const Usage = closed(
  {
    from: dateTime('Start of the first step.'),
    to: dateTime('End of the last step, or the current time.'),
    step_seconds: Type.Integer({ minimum: 1, description: '300, 3600 or 86400.' }),
    by: Type.Enum([...USAGE_BY]),
    cost_unit: Type.String({
      description: 'Currency set by the operator, or `effort` if no prices are configured.',
    }),
    counted_from: orNull(DateTime, {
      description:
        'When counting began, for all users; as exact as what is still kept. null: nothing was counted.',
    }),
    total: Sums,
    previous: orNull(closed({ from: DateTime, to: DateTime, ...SUMS }), {
      description:
        'The time before, of the same length. null: it was not counted from its begin, or is deleted.',
    }),
    change: Change,
    series: Type.Array(closed({ at: DateTime, ...SUMS }, { title: 'UsageStep' }), {
      maxItems: 300,
      description: 'All steps, oldest first, including those without scrapes.',
    }),
    items: Type.Array(Item),
    other: orNull(Sums, {
      description:
        'What is in no item: those beyond `limit`, and names that are counted together. Items and `other` add up to `total`. null: nothing.',
    }),
    forecast: closed(
      {
        month: Type.String({ description: '`YYYY-MM`, UTC.' }),
        so_far: Sums,
        scrapes: EstimateSchema,
        cost: EstimateSchema,
        reason: textOrNull('Why an estimate is null, in a sentence.'),
      },
      {
        title: 'UsageForecast',
        description:
          'This month, with the same filters: so far, and for the rest the mean of the last one to four whole weeks. With steady use, four of five months end between `low` and `high`.',
      },
    ),
    budgets: Type.Array(Budget, {
      maxItems: 100,
      description: 'Daily budgets of the keys that the figures cover, those that are used most first.',
    }),
  },
  { title: 'Usage' },
);

/** @param hasPrices false: no cost is known */
function sums(figures: UsageFigures, hasPrices: boolean) {
  const { traffic, cost, attempts, unpriced, ...rest } = figures;
  const isKnown = hasPrices && (attempts > unpriced || unpriced === 0);
  return {
    ...rest,
    attempts,
    unpriced,
    cost: isKnown ? microToCurrency(cost) : null,
    traffic_bytes: traffic,
  };
}

const knownChange = (change: UsageChange, hasPrices: boolean): UsageChange =>
  hasPrices ? change : { ...change, cost: null };

const inCurrency = ({ value, low, high }: Estimate): Estimate => ({
  value: microToCurrency(value),
  low: microToCurrency(low),
  high: microToCurrency(high),
});

function forecastObject({ month, soFar, scrapes, cost }: MonthForecast, hasPrices: boolean) {
  return {
    month: formatDateTime(month).slice(0, 7),
    so_far: sums(soFar, hasPrices),
    scrapes,
    cost: cost === null ? null : inCurrency(cost),
    reason:
      scrapes === null
        ? 'An estimate needs seven whole days of counted usage.'
        : hasPrices
          ? null
          : 'No prices are configured, so costs are not known.',
  };
}

type FindAccounts = Pick<Accounts, 'findKey' | 'findUser' | 'listKeys' | 'requestsToday' | 'costToday'>;

/** What people call an item. */
function labelOf(accounts: FindAccounts, principal: Principal, by: UsageBy, name: string) {
  const key = by === 'key' ? accounts.findKey(principal, name) : null;
  const label = by === 'user' ? accounts.findUser(principal, name)?.email : key?.name;
  return { label: label ?? null, user_id: key?.userId ?? null };
}

const MAX_BUDGETS = 100;
/** A budget of 0 is used up. */
const usedShare = ({ used, amount }: { used: number; amount: number }) => (amount === 0 ? 1 : used / amount);

function budgets(accounts: FindAccounts, principal: Principal, { filter }: UsageParameters, now: number) {
  return accounts
    .listKeys(principal, filter.userId)
    .flatMap(({ id, name, userId, dailyBudget, revokedAt, expiresAt }) => {
      const hasEnded = revokedAt !== null || (expiresAt !== null && expiresAt <= now);
      if (dailyBudget === null || hasEnded || (filter.keyId ?? id) !== id) return [];
      const { amount, unit } = dailyBudget;
      const used = unit === 'cost' ? accounts.costToday(id) : accounts.requestsToday(id);
      return [{ key_id: id, name, user_id: userId, amount, unit, used }];
    })
    .sort((a, b) => usedShare(b) - usedShare(a))
    .slice(0, MAX_BUDGETS);
}

interface View {
  readonly parameters: UsageParameters;
  readonly report: UsageReport;
  readonly accounts: FindAccounts;
  readonly principal: Principal;
  readonly prices: Prices | null;
}

function itemObjects({ parameters, report, accounts, principal, prices }: View) {
  const hasPrices = prices !== null;
  return report.items.map(({ name, figures, previous, change }) => ({
    name: name === '' ? null : name,
    ...labelOf(accounts, principal, parameters.by, name),
    ...sums(figures, hasPrices),
    previous: previous === null ? null : sums(previous, hasPrices),
    change: knownChange(change, hasPrices),
  }));
}

function usageObject(view: View, now: number) {
  const { parameters, report, accounts, principal, prices } = view;
  const hasPrices = prices !== null;
  const { range, previous, other } = report;
  return {
    from: formatDateTime(range.from),
    to: formatDateTime(range.to),
    step_seconds: range.step,
    by: parameters.by,
    cost_unit: prices?.currency ?? EFFORT_UNIT,
    counted_from: formatDateTimeOrNull(report.countedFrom),
    total: sums(report.total, hasPrices),
    previous: previous === null ? null : previousObject(previous, hasPrices),
    change: knownChange(report.change, hasPrices),
    series: report.series.map(({ at, figures }) => ({ at: formatDateTime(at), ...sums(figures, hasPrices) })),
    items: itemObjects(view),
    other: other === null ? null : sums(other, hasPrices),
    forecast: forecastObject(report.forecast, hasPrices),
    budgets: budgets(accounts, principal, parameters, now),
  };
}

const previousObject = (
  { from, to, ...figures }: NonNullable<UsageReport['previous']>,
  hasPrices: boolean,
) => ({
  from: formatDateTime(from),
  to: formatDateTime(to),
  ...sums(figures, hasPrices),
});

const SUM_COLUMNS = Object.keys(SUMS) as readonly (keyof typeof SUMS)[];

/** The items, and `other` as one without a name. */
function exportText(view: View, format: UsageFormat): string {
  const { report, prices } = view;
  const costUnit = prices?.currency ?? EFFORT_UNIT;
  const rows = itemObjects(view).map(({ name, label, user_id, previous, ...rest }) => {
    const figures = Object.fromEntries(SUM_COLUMNS.map((column) => [column, rest[column]]));
    return {
      ...{ by: view.parameters.by, name, label, user_id, is_other: false, ...figures, cost_unit: costUnit },
      previous_scrapes: previous?.scrapes ?? null,
      previous_cost: previous?.cost ?? null,
    };
  });
  if (report.other !== null) {
    const other = sums(report.other, prices !== null);
    rows.push({
      ...{ by: view.parameters.by, name: null, label: null, user_id: null, is_other: true },
      ...Object.fromEntries(SUM_COLUMNS.map((column) => [column, other[column]])),
      ...{ cost_unit: costUnit, previous_scrapes: null, previous_cost: null },
    });
  }
  if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const columns = [
    'by',
    'name',
    'label',
    'user_id',
    'is_other',
    ...SUM_COLUMNS,
    'cost_unit',
    'previous_scrapes',
    'previous_cost',
  ];
  return (
    csvLine(columns) +
    rows.map((row) => csvLine(columns.map((name) => row[name as keyof typeof row]))).join('')
  );
}

const MEDIA_TYPES: Readonly<Record<UsageFormat, string>> = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** Counts are written to the store once per second, so reading them more often shows nothing new. */
const CACHE_MS = 1_000;

const COUNTING =
  'With an API key, the figures cover its user; sessions of administrators see all users together. Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts. A scrape counts at the scraper and proxy type of its result, each attempt at its own.';

export const USAGE = [
  endpoint({
    method: 'get',
    path: '/api/v1/usage/',
    operationId: 'getUsage',
    summary: 'Get usage and costs',
    description: `Scrapes, attempts and costs of a time, split by day, hour, key, host, scraper, proxy type, vendor, user or outcome, and compared with the time before. ${COUNTING}`,
    access: 'scope:read',
    query: USAGE_QUERY,
    responses: { 200: json('The usage.', Usage) },
    prepare: ({ store: { stats }, accounts, currentPrices, clock }) => {
      const cached = ttlCache<UsageReport>(CACHE_MS, clock);
      return async ({ query, principal }) => {
        const prices = currentPrices.current();
        const report = await cached(JSON.stringify([query, prices?.currency]), () =>
          usageReport({ stats, prices, clock }, query),
        );
        return usageObject({ parameters: query, report, accounts, principal, prices }, clock.now());
      };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/usage/export/',
    operationId: 'exportUsage',
    summary: 'Export usage and costs',
    description: `All items as lines, at most 100,000, and a last line with \`is_other\` for names that are counted together. CSV (RFC 4180, UTF-8) has a header line, and an apostrophe before cells that a spreadsheet could read as a formula. ${COUNTING}`,
    access: 'scope:read',
    query: USAGE_EXPORT_QUERY,
    responses: { 200: text('The items.', 'text/csv', 'application/x-ndjson') },
    handler: async ({ query, principal, reply }, { store: { stats }, accounts, prices, clock }) => {
      const report = await usageReport({ stats, prices, clock }, query);
      const { format, by } = query;
      return reply
        .headers({
          'content-type': MEDIA_TYPES[format],
          'content-disposition': `attachment; filename="usage-by-${by}.${format}"`,
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-store',
        })
        .send(exportText({ parameters: query, report, accounts, principal, prices }, format));
    },
  }),
];
