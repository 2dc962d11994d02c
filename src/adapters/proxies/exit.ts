import { type ExitPrice, trafficCost } from '../../domain/cost.ts';
import type { ExitHealth, ExitState, PoolServer } from '../../domain/pools.ts';
import type { ProxyReason } from '../../domain/proxy.ts';
import { isBlocked } from '../../domain/verdict.ts';
import type { ExitReport } from '../../ports/proxies.ts';

const FIRST_PAUSE_MS = 5_000;
/** Credentials do not mend themselves in seconds. */
const AUTH_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 300_000;
/** Failures in a row that may as well be the target's. */
const MAX_DOUBTS = 3;

/** Whose fault an attempt was: the exit's, that of others, or nobody can say. */
type Blame = 'good' | 'none' | 'doubt' | 'exit';

/**
 * Whether an exit can be used: after a failure it pauses, longer each time; then one attempt at a time finds out. Pure
 * but for what it remembers; times are monotonic ms.
 */
export class ExitHealthTracker {
  #failures = 0;
  #doubts = 0;
  #until = 0;
  #probing = false;
  lastFailure: string | null = null;

  isUsable(now: number): boolean {
    return this.#failures === 0 || (now >= this.#until && !this.#probing);
  }

  state(now: number): ExitHealth {
    if (this.#failures === 0) return 'healthy';
    return now >= this.#until ? 'probing' : 'cooling';
  }

  /** ms until it may be tried; 0: now. */
  waitMs(now: number): number {
    return this.#failures === 0 ? 0 : Math.max(0, this.#until - now);
  }

  /** An attempt goes out through it. @returns whether it is the one that finds out */
  beginAttempt(): boolean {
    this.#probing = this.#failures > 0;
    return this.#probing;
  }

  /** An attempt is over; without a report nothing can be said. */
  endAttempt(probe: boolean): void {
    if (probe) this.#probing = false;
  }

  /** @returns whether the exit was at fault, as far as can be said */
  report(of: ExitReport, now: number): boolean {
    const blame = blameOf(of);
    if (blame === 'good') {
      this.#failures = 0;
      this.#doubts = 0;
      return false;
    }
    if (blame === 'none') return false;
    this.lastFailure = reasonOf(of);
    // Of those that were under way when it failed: they say nothing new.
    if (this.#failures > 0 && now < this.#until) return true;
    // While it is being found out, a doubt counts.
    if (blame === 'doubt' && this.#failures === 0 && ++this.#doubts < MAX_DOUBTS) return true;
    this.#doubts = 0;
    const first = this.lastFailure === 'auth' ? AUTH_PAUSE_MS : FIRST_PAUSE_MS;
    this.#until = now + Math.min(MAX_PAUSE_MS, first * 2 ** this.#failures);
    this.#failures = Math.min(30, this.#failures + 1);
    return true;
  }
}

function blameOf({ failure, bytesIn }: ExitReport): Blame {
  if (failure === null) return 'good';
  // It led nowhere at all in the time there was.
  if (failure.code.startsWith('timeout.')) return bytesIn === 0 ? 'doubt' : 'none';
  if (failure.code !== 'proxy.failed') return 'none';
  if (failure.details?.stage === 'proxy') return 'exit';
  // Names that nobody knows are asked for by callers.
  return reasonOf({ failure }) === 'dns' ? 'none' : 'doubt';
}

function reasonOf({ failure }: Pick<ExitReport, 'failure'>): ProxyReason {
  return (failure?.details?.reason as ProxyReason | undefined) ?? 'timeout';
}

/** One proxy server of a pool, or the gate of a provider: its health, and what went through it. It outlives reloads. */
export class Exit {
  /** Tells servers and credentials apart; holds neither. */
  readonly key: string;
  /** For people. */
  readonly name: string;
  readonly health = new ExitHealthTracker();
  inFlight = 0;
  /** What choosing the least used one goes by: it is not told, and may jump. */
  uses = 0;
  #attempts = 0;
  #ok = 0;
  #failed = 0;
  #blocked = 0;
  #bytesOut = 0;
  #bytesIn = 0;
  #cost = 0;

  constructor(key: string, { kind, host, port }: PoolServer) {
    this.key = key;
    this.name = `${kind}://${host}:${port}`;
  }

  report(of: ExitReport, price: ExitPrice | null, now: number): void {
    const blamed = this.health.report(of, now);
    this.#attempts++;
    if (blamed) this.#failed++;
    else if (of.failure === null) this.#ok++;
    if (of.failure === null && isBlocked(of.verdict)) this.#blocked++;
    this.#bytesOut += of.bytesOut;
    this.#bytesIn += of.bytesIn;
    if (price !== null) this.#cost += price.perRequest + trafficCost(of.bytesOut + of.bytesIn, price);
  }

  state(country: string | null, price: ExitPrice | null, now: number): ExitState {
    const health = this.health.state(now);
    return {
      server: this.name,
      country,
      health,
      inFlight: this.inFlight,
      retryInMs: health === 'cooling' ? this.health.waitMs(now) : null,
      lastFailure: this.health.lastFailure,
      attempts: this.#attempts,
      ok: this.#ok,
      failed: this.#failed,
      blocked: this.#blocked,
      bytesOut: this.#bytesOut,
      bytesIn: this.#bytesIn,
      cost: price === null ? null : this.#cost,
    };
  }
}
