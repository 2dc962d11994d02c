import { sleep } from '../../base/wait.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import { type Coordination, CoordinationError, type Holding } from '../../ports/coordination.ts';
import type { Lease, LeaseRequest } from '../../ports/proxies.ts';
import { StorageError } from '../../ports/store.ts';
import type { StickySession, StickySessions } from './sticky-sessions.ts';

interface SharedLeasesDeps {
  readonly coordination: Pick<Coordination, 'limits' | 'values'>;
  /** Those that are known here. */
  readonly sessions: StickySessions;
  /** The name of the session; null: the request has none. */
  readonly sessionKey: (request: LeaseRequest) => string | null;
  /** How many attempts the exit of a lease may have at once; null: any number. */
  readonly concurrencyOf: (lease: Lease) => number | null;
  /** Takes an exit by what is known here. */
  readonly leaseHere: (request: LeaseRequest) => Lease | Failure | Promise<Lease | Failure>;
  readonly waitFailure: (signal: AbortSignal) => Failure;
}

/** How long to wait before another try, if other replicas use all that an exit may have. */
const RETRY_MS = 100;

/** A session as all replicas see it. `endsAt` is the time of `SharedValues`, in ms. */
interface SharedSession extends StickySession {
  readonly endsAt: number;
}

/**
 * Takes exits so that all replicas together keep the promises of one: a session has the same exit on each of them, and an exit
 * has no more attempts at once than its pool allows.
 */
export function createSharedLeases(deps: SharedLeasesDeps) {
  return async (request: LeaseRequest): Promise<Lease | Failure> => {
    try {
      return await lease(deps, request);
    } catch (error) {
      if (!(error instanceof StorageError || error instanceof CoordinationError)) throw error;
      return failure('service.unavailable', `The replicas could not agree on the proxy: ${error.message}.`);
    }
  };
}

async function lease(deps: SharedLeasesDeps, request: LeaseRequest): Promise<Lease | Failure> {
  const { sessionKey, concurrencyOf, leaseHere, waitFailure, coordination } = deps;
  const session = sessionKey(request);
  let { used } = request;
  for (;;) {
    const before = session === null ? null : await readSession(deps, session);
    const leased = await leaseHere({ ...request, used });
    if (isFailure(leased)) return leased;
    const limit = concurrencyOf(leased);
    let isOurs: boolean;
    let holding: Holding | null;
    try {
      isOurs = session === null || (await bindSession(deps, session, before, request.proxy.sessionTtlMs));
      // `Lease.exit` begins with the two parts of `Exit.key`.
      const name = `exit ${leased.exit.split(' ', 2).join(' ')}`;
      holding = !isOurs || limit === null ? null : await coordination.limits.take([{ name, limit }]);
    } catch (error) {
      leased.release();
      throw error;
    }
    if (isOurs && (limit === null || holding !== null))
      return holding === null ? leased : withHolding(leased, holding);
    leased.release();
    // Another exit may be free. A session waits for its own.
    if (session === null) used = [...used, { exit: leased.exit, blocked: false }];
    if (isOurs && !(await sleep(RETRY_MS, request.signal))) return waitFailure(request.signal);
  }
}

function withHolding(leased: Lease, holding: Holding): Lease {
  return {
    ...leased,
    release() {
      leased.release();
      holding.release();
    },
  };
}

const valueKey = (session: string): string => `proxy session ${session}`;

/** Reads what all replicas know of a session, so that it is known here. @returns the stored text; null: none */
async function readSession(
  { coordination, sessions }: SharedLeasesDeps,
  session: string,
): Promise<string | null> {
  const stored = await coordination.values.get(valueKey(session));
  if (stored === null) sessions.delete(session);
  else sessions.replace(session, JSON.parse(stored) as SharedSession);
  return stored;
}

/**
 * Tells the other replicas the exit that a session has here now.
 * @param before the stored text when the exit was chosen
 * @returns false: another replica was faster, and the session has another exit
 */
async function bindSession(
  { coordination, sessions }: SharedLeasesDeps,
  session: string,
  before: string | null,
  ttlMs: number,
): Promise<boolean> {
  const bound = sessions.get(session);
  if (bound === null) return true;
  const known = before === null ? null : (JSON.parse(before) as SharedSession);
  if (known !== null && isSameExit(known, bound)) return true;
  const stored = await coordination.values.update(valueKey(session), (current, now) => {
    if (current !== null && current !== before) return 'keep';
    const { exitKey, country, token } = bound;
    // A session that moves to another exit keeps its time of expiry.
    const endsAt = current === null ? now + ttlMs : (JSON.parse(current) as SharedSession).endsAt;
    return { value: JSON.stringify({ exitKey, country, token, endsAt }), ttlMs: Math.max(1, endsAt - now) };
  });
  return stored !== null && isSameExit(JSON.parse(stored) as SharedSession, bound);
}

const isSameExit = (a: StickySession, b: StickySession): boolean =>
  a.exitKey === b.exitKey && a.token === b.token && a.country === b.country;
