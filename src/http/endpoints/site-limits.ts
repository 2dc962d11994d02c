import { Type } from 'typebox';
import { microToCurrency } from '../../base/numbers.ts';
import { type Principal, readsAll } from '../../domain/account.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import type { SiteLimits } from '../../domain/site-limits.ts';
import { MAX_LIMITED_SITES } from '../../pipeline/site-limit-settings.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json } from '../core/responses.ts';
import { HOST, siteOf } from '../operations/site-host.ts';

const MICRO = 1_000_000;
const MAX_BUDGET = 1_000_000_000;

const Concurrency = Type.Integer({ minimum: 1, maximum: 10_000 });
const DelayMs = Type.Integer({ minimum: 1, maximum: 3_600_000 });
const Budget = Type.Number({ minimum: 0, maximum: MAX_BUDGET });

const LIMITS = {
  concurrency: orNull(Concurrency, {
    description: 'Attempts that may run at once. It goes before `SLUICE_SITE_CONCURRENCY`.',
  }),
  delay_ms: orNull(DelayMs, { description: 'Time between the starts of two attempts.' }),
  budget_day: orNull(Budget, {
    description: 'What attempts may cost on a day (UTC), in `cost_unit`. 0: nothing is fetched.',
  }),
  budget_month: orNull(Budget, { description: 'The same of a month (UTC).' }),
};

const SiteLimitsObject = closed(
  {
    host: Type.String({ description: 'Without the port: the limits hold for all its ports together.' }),
    ...LIMITS,
    cost_unit: Type.String({
      description: 'Currency set by the operator, or `effort` if no prices are configured.',
    }),
    spent_day: orNull(Type.Number({ minimum: 0 }), {
      description:
        'Spent by all users since 00:00 UTC, with the prices of attempts that run. null: the caller may not see that, or no prices are configured.',
    }),
    spent_month: orNull(Type.Number({ minimum: 0 }), {
      description: 'The same since the first day of the month.',
    }),
  },
  { title: 'SiteLimits' },
);

const SiteLimitsPatch = closed(
  {
    concurrency: Type.Optional(LIMITS.concurrency),
    delay_ms: Type.Optional(LIMITS.delay_ms),
    budget_day: Type.Optional(LIMITS.budget_day),
    budget_month: Type.Optional(LIMITS.budget_month),
  },
  { title: 'SiteLimitsPatch', description: 'What is left out stays unchanged; null removes a limit.' },
);

const BUDGETS = ['budget_day', 'budget_month'] as const;

const LIMITS_BODY = jsonBody(SiteLimitsPatch, {
  examples: { month: { budget_month: 5 }, pace: { concurrency: 2, delay_ms: 500 } },
  nulls: 'kept',
  read: (body: JsonObject, problems: Problems): Partial<SiteLimits> => {
    const change = body as Readonly<Record<string, number | null>>;
    for (const name of BUDGETS) {
      const value = change[name] ?? 0;
      if (Math.round(value * MICRO) / MICRO !== value)
        addProblem(problems, `/${name}`, 'must have at most 6 decimals');
    }
    const micro = (value: number | null) => (value === null ? null : Math.round(value * MICRO));
    return {
      ...(change.concurrency === undefined ? {} : { concurrency: change.concurrency }),
      ...(change.delay_ms === undefined ? {} : { delayMs: change.delay_ms }),
      ...(change.budget_day === undefined ? {} : { budgetDay: micro(change.budget_day) }),
      ...(change.budget_month === undefined ? {} : { budgetMonth: micro(change.budget_month) }),
    };
  },
});

/** The host of a path without its port. @throws Refusal if it is not a host */
const hostnameOf = (host: string): string => new URL(`http://${siteOf(host)}/`).hostname;

const costOrNull = (micro: number | null): number | null => (micro === null ? null : microToCurrency(micro));

/** What all users spend is shown to those who see the scrapes of all. */
const seesSpending = ({ role, scopes }: Principal): boolean => readsAll(role) && scopes.includes('admin');

async function limitsObject(
  host: string,
  { concurrency, delayMs, budgetDay, budgetMonth }: SiteLimits,
  principal: Principal,
  { siteBudgets, prices, clock }: Pick<EndpointDeps, 'siteBudgets' | 'prices' | 'clock'>,
) {
  const isShown = prices !== null && seesSpending(principal);
  const spent = isShown ? await siteBudgets.spent(host, clock.now()) : null;
  return {
    host,
    concurrency,
    delay_ms: delayMs,
    budget_day: costOrNull(budgetDay),
    budget_month: costOrNull(budgetMonth),
    cost_unit: prices?.currency ?? EFFORT_UNIT,
    spent_day: costOrNull(spent?.day ?? null),
    spent_month: costOrNull(spent?.month ?? null),
  };
}

/** @throws Refusal if a budget is set, and nothing has a price */
function refuseWithoutPrices(change: Partial<SiteLimits>, { prices }: Pick<EndpointDeps, 'prices'>): void {
  if (prices !== null) return;
  const problems: Problems = [];
  for (const [name, value] of [
    ['budget_day', change.budgetDay],
    ['budget_month', change.budgetMonth],
  ] as const)
    if (typeof value === 'number') addProblem(problems, `/${name}`, 'needs prices, and none are configured');
  if (problems.length > 0) throw new Refusal(problems);
}

export const SITE_LIMITS = [
  endpoint({
    method: 'get',
    path: '/api/v1/sites/{host}/limits/',
    operationId: 'getSiteLimits',
    summary: 'Get the limits of a site',
    description:
      'Administrators set them for all users together. Without any, all are null. They hold for the host that a request names, in any spelling, and for no other subdomain.',
    access: 'scope:read',
    params: HOST,
    responses: { 200: json('The limits.', SiteLimitsObject) },
    handler: async ({ params, principal }, deps) => {
      const host = hostnameOf(params.host);
      return await limitsObject(host, deps.siteLimits.of(host), principal, deps);
    },
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/sites/{host}/limits/',
    operationId: 'changeSiteLimits',
    summary: 'Set the limits of a site',
    description:
      'For administrators. They hold for the attempts of all users, over all replicas, at once on this one and within about a second on others. What a budget does not allow is refused with `limit.site`; attempts wait for their turn as long as the request has time. Items of jobs wait, and look again within five minutes.',
    access: 'role:admin',
    params: HOST,
    body: LIMITS_BODY,
    responses: { 200: json('The limits.', SiteLimitsObject) },
    audit: ({ host }) => ({ action: 'site.limited', target: { type: 'site', id: hostnameOf(host) } }),
    handler: async ({ params, body, principal }, deps) => {
      const host = hostnameOf(params.host);
      refuseWithoutPrices(body, deps);
      const limits = await deps.siteLimits.change(host, body);
      if (limits === 'full')
        throw Refusal.of(
          'request.validation',
          `${MAX_LIMITED_SITES} sites have limits, which is the most that can have some; remove others first.`,
        );
      return await limitsObject(host, limits, principal, deps);
    },
  }),
];
