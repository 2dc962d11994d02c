import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../../account/accounts.ts';
import type { Clock } from '../../base/time.ts';
import type { Principal } from '../../domain/account.ts';
import type { Permits } from '../../ports/permits.ts';
import type { StatsStore } from '../../ports/store.ts';
import type { QueryParameters } from '../../wire/schema/query-reader.ts';
import { parseStatsQuery, type StatsParameters, statsObject, statsRequest } from '../../wire/stats.ts';
import { type AdmissionControl, admissionHook } from '../access.ts';
import { Refusal } from '../refusal.ts';
import { ttlCache } from '../ttl-cache.ts';

export interface StatsRouteParts {
  readonly gate: AdmissionControl;
  readonly stats: StatsStore;
  readonly permits: Permits;
  readonly accounts: Pick<Accounts, 'findUser'>;
  readonly clock: Clock;
  /** Of users without a number of their own. */
  readonly defaultConcurrency: number;
}

/** Counts come to the store once a second: asking more often tells nothing new. */
const FRESH_MS = 1_000;

/** What was scraped lately, in figures. */
export function statsRoute(app: FastifyInstance, parts: StatsRouteParts): void {
  const { gate, stats, permits, accounts, clock, defaultConcurrency } = parts;
  const fresh = ttlCache<string>(FRESH_MS, clock);

  const limitOf = (who: Principal, userId: string): number | null => {
    if (userId === who.userId) return who.concurrency;
    const user = accounts.findUser(who, userId);
    return user === null ? null : (user.concurrency ?? defaultConcurrency);
  };
  const answer = async (query: StatsParameters, who: Principal): Promise<string> => {
    const { userId } = query;
    const now = clock.now();
    const ask = statsRequest(query, now);
    const read = await stats.read(ask);
    const limit = userId === null ? null : limitOf(who, userId);
    const inFlight = { now: await permits.inUse(userId), limit };
    return JSON.stringify(statsObject({ query, ask, read, now, inFlight }));
  };

  app.get('/api/v1/stats', { onRequest: admissionHook(gate, { scope: 'read' }) }, async (request, reply) => {
    const who = request.principal!;
    const { ask: query, problems } = parseStatsQuery(request.query as QueryParameters, who);
    if (query === null) throw new Refusal(problems);
    reply.header('content-type', 'application/json; charset=utf-8');
    return fresh(`${query.window} ${query.userId}`, () => answer(query, who));
  });
}
