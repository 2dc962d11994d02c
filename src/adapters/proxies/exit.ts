import { type ExitPrice, trafficCost } from '../../domain/cost.ts';
import type { ExitHealth, ExitState, PoolServer } from '../../domain/pools.ts';
import type { ProxyReason } from '../../domain/proxy.ts';
import { isBlocked } from '../../domain/verdict.ts';
import type { ExitReport } from '../../ports/proxies.ts';

const FIRST_PAUSE_MS = 5_000;
/** Longer, because wrong credentials are not corrected within seconds. */
const AUTH_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 300_000;
/** A pause begins after so many unclear failures in succession. */
const MAX_UNCLEAR_FAILURES = 3;

/** What a report says about the exit: it works, nothing, perhaps it failed (or the target did), it failed. */
type Blame = 'works' | 'nothing' | 'unclear' | 'failed';

/**
 * Decides whether an exit can be used. After a failure it pauses, for a longer time with each further failure. After the pause
 * one attempt at a time is let through, until one succeeds. All times are monotonic, in ms.
 */
export class ExitHealthTracker {
  #failures = 0;
  #unclearFailures = 0;
  #pausedUntil = 0;
  #probing = false;
  lastFailure: string | null = null;

  isUsable(now: number): boolean {
    return this.#failures === 0 || (now >= this.#pausedUntil && !this.#probing);
  }

  state(now: number): ExitHealth {
    if (this.#failures === 0) return 'healthy';
    return now >= this.#pausedUntil ? 'probing' : 'cooling';
  }

  /** How long the pause still lasts, in ms. */
  waitMs(now: number): number {
    return this.#failures === 0 ? 0 : Math.max(0, this.#pausedUntil - now);
  }

  /** @returns whether the attempt is a probe: the only one let through after a pause */
  beginAttempt(): boolean {
    this.#probing = this.#failures > 0;
    return this.#probing;
  }

  endAttempt(probe: boolean): void {
    if (probe) this.#probing = false;
  }

  /** @returns whether the exit has failed, or perhaps has */
  report(result: ExitReport, now: number): boolean {
    const blame = blameOf(result);
    if (blame === 'works') {
      this.#failures = 0;
      this.#unclearFailures = 0;
      return false;
    }
    if (blame === 'nothing') return false;
    this.lastFailure = reasonOf(result);
    // Attempts that were in flight when the pause began do not prolong it.
    if (this.#failures > 0 && now < this.#pausedUntil) return true;
    // After a pause, an unclear failure counts like a clear one.
    if (blame === 'unclear' && this.#failures === 0 && ++this.#unclearFailures < MAX_UNCLEAR_FAILURES)
      return true;
    this.#unclearFailures = 0;
    const firstPauseMs = this.lastFailure === 'auth' ? AUTH_PAUSE_MS : FIRST_PAUSE_MS;
    this.#pausedUntil = now + Math.min(MAX_PAUSE_MS, firstPauseMs * 2 ** this.#failures);
    this.#failures = Math.min(30, this.#failures + 1);
    return true;
  }
}

function blameOf({ failure, bytesIn }: ExitReport): Blame {
  if (failure === null) return 'works';
  // Nothing at all was received before the timeout.
  if (failure.code.startsWith('timeout.')) return bytesIn === 0 ? 'unclear' : 'nothing';
  if (failure.code !== 'proxy.failed') return 'nothing';
  if (failure.details?.stage === 'proxy') return 'failed';
  // The caller may have asked for a host that does not exist.
  return reasonOf({ failure }) === 'dns' ? 'nothing' : 'unclear';
}

function reasonOf({ failure }: Pick<ExitReport, 'failure'>): ProxyReason {
  return (failure?.details?.reason as ProxyReason | undefined) ?? 'timeout';
}

/** A proxy server of a pool, or the server of a provider (template): its health and traffic. Survives reloads of the file. */
export class Exit {
  /** Different for each server and credentials, but contains neither. */
  readonly key: string;
  /** Shown to the operator. */
  readonly name: string;
  readonly health = new ExitHealthTracker();
  inFlight = 0;
  /** For choosing the least used exit. Not a statistic: `skipMissedTurns` increases it. */
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

  report(result: ExitReport, price: ExitPrice | null, now: number): void {
    const exitFailed = this.health.report(result, now);
    this.#attempts++;
    if (exitFailed) this.#failed++;
    else if (result.failure === null) this.#ok++;
    if (result.failure === null && isBlocked(result.verdict)) this.#blocked++;
    this.#bytesOut += result.bytesOut;
    this.#bytesIn += result.bytesIn;
    if (price !== null) this.#cost += price.perRequest + trafficCost(result.bytesOut + result.bytesIn, price);
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
