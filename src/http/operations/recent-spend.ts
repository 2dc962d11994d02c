import { Type } from 'typebox';
import { microToCurrency } from '../../base/numbers.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { count, orNull } from '../../domain/json-schema.ts';
import { DAY_MS } from '../../domain/usage.ts';
import type { EndpointDeps } from '../core/deps.ts';

const DAYS = 30;
const MAX_NAMES = 100_000;

/** Members of a key or a user. */
export const RECENT_SPEND = {
  scrapes_30d: count('Scrapes of the last 30 days (UTC), today included.'),
  cost_30d: orNull(Type.Number({ minimum: 0 }), {
    description: 'What they cost, in the currency of the prices. null: no prices are configured.',
  }),
};

interface RecentSpend {
  readonly scrapes_30d: number;
  readonly cost_30d: number | null;
}

/** What keys or users have scraped and spent in the last 30 days. @param userId null: all users */
export async function recentSpend(
  { store: { stats }, prices, clock }: Pick<EndpointDeps, 'store' | 'prices' | 'clock'>,
  by: 'key' | 'user',
  userId: string | null,
): Promise<(name: string) => RecentSpend> {
  const to = Math.ceil((clock.now() + 1) / DAY_MS) * DAY_MS;
  const all = { keyId: null, host: null, scraper: null, proxyType: null, names: null };
  const found = await stats.usageBy({
    ...all,
    ...{ userId, by, order: 'scrapes', limit: MAX_NAMES },
    ...{ step: DAY_MS / 1000, from: to - DAYS * DAY_MS, to, unit: prices?.currency ?? EFFORT_UNIT },
  });
  const figures = new Map(found.map((one) => [one.name, one.figures]));
  return (name) => {
    const { scrapes = 0, cost = 0 } = figures.get(name) ?? {};
    return { scrapes_30d: scrapes, cost_30d: prices === null ? null : microToCurrency(cost) };
  };
}
