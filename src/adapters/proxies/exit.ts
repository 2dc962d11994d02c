import type { MicroUnits } from '../../base/numbers.ts';
import type { Clock } from '../../base/time.ts';
import { type ExitPrice, trafficCost } from '../../domain/cost.ts';
import type { ExitHealth, ExitState, PoolServer } from '../../domain/pools.ts';
import type { ProxyReason } from '../../domain/proxy.ts';
import { isBlocked } from '../../domain/verdict.ts';
import type { ExitReport } from '../../ports/proxies.ts';

const FIRST_PAUSE_MS = 5_000;
/** Longer, because wrong credentials are not corrected within seconds. */
const AUTH_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 300_000;
/** A pause begins after this number of unclear failures in succession. */
const MAX_UNCLEAR_FAILURES = 3;

/** What a report says about the exit. `unrelated`: the failure has another cause. `unclear`: the exit or the target failed. */
type ExitAssessment = 'works' | 'unrelated' | 'unclear' | 'failed';

/**
 * Decides whether an exit can be used. After a failure it pauses, twice as long with each further failure. After the pause, one
 * trial attempt at a time may use it, until one succeeds. All times are monotonic, in ms.
 */
export class ExitHealthTracker {
  #failures = 0;
  #unclearFailures = 0;
  #pausedUntil = 0;
  #trialRunning = false;
  lastFailure: string | null = null;

  isUsable(now: number): boolean {
    return this.#failures === 0 || (now >= this.#pausedUntil && !this.#trialRunning);
  }

  state(now: number): ExitHealth {
    if (this.#failures === 0) return 'healthy';
    return now >= this.#pausedUntil ? 'trial' : 'paused';
  }

  /** The rest of the pause, in ms; 0: there is no pause. */
  waitMs(now: number): number {
    return this.#failures === 0 ? 0 : Math.max(0, this.#pausedUntil - now);
  }

  /** Must only be called if `isUsable`. @returns whether the attempt is a trial, because the exit has failed before */
  beginAttempt(): boolean {
    this.#trialRunning = this.#failures > 0;
    return this.#trialRunning;
  }

  /** @param isTrial result of `beginAttempt` */
  endAttempt(isTrial: boolean): void {
    if (isTrial) this.#trialRunning = false;
  }

  /** @returns whether the exit has failed, certainly or perhaps */
  report(result: ExitReport, now: number): boolean {
    const assessment = assessExit(result);
    if (assessment === 'works') {
      this.#failures = 0;
      this.#unclearFailures = 0;
      return false;
    }
    if (assessment === 'unrelated') return false;
    this.lastFailure = reasonOf(result);
    // Attempts that were in flight when the pause began do not prolong it.
    if (this.#failures > 0 && now < this.#pausedUntil) return true;
    // After a pause, an unclear failure counts like a clear one.
    if (assessment === 'unclear' && this.#failures === 0 && ++this.#unclearFailures < MAX_UNCLEAR_FAILURES)
      return true;
    this.#unclearFailures = 0;
    const firstPauseMs = this.lastFailure === 'auth' ? AUTH_PAUSE_MS : FIRST_PAUSE_MS;
    this.#pausedUntil = now + Math.min(MAX_PAUSE_MS, firstPauseMs * 2 ** this.#failures);
    // The limit keeps the power finite. The pause has reached `MAX_PAUSE_MS` long before.
    this.#failures = Math.min(30, this.#failures + 1);
    return true;
  }
}

function assessExit({ failure, bytesIn }: ExitReport): ExitAssessment {
  if (failure === null) return 'works';
  // If no byte was received before the timeout, the proxy may hang.
  if (failure.code.startsWith('timeout.')) return bytesIn === 0 ? 'unclear' : 'unrelated';
  if (failure.code !== 'proxy.failed') return 'unrelated';
  if (failure.details?.stage === 'proxy') return 'failed';
  // The proxy could not resolve the host: the host in the URL may not exist.
  return reasonOf({ failure }) === 'dns' ? 'unrelated' : 'unclear';
}

function reasonOf({ failure }: Pick<ExitReport, 'failure'>): ProxyReason {
  return (failure?.details?.reason as ProxyReason | undefined) ?? 'timeout';
}

/** What an attempt through an exit was. Neither `ok` nor `failed`: the target is at fault. */
export interface ExitResult {
  readonly ok: boolean;
  readonly failed: boolean;
  readonly blocked: boolean;
  /** Sent and received. */
  readonly bytes: number;
  /** null: no price is configured. */
  readonly cost: MicroUnits | null;
}

/** A proxy server of a pool, or of its template: health and traffic. Stays the same when the file is read again. */
export class Exit {
  /** `<pool> <hash>`: different for each server and credentials, but contains neither. */
  readonly key: string;
  /** Shown to the operator. */
  readonly name: string;
  readonly health = new ExitHealthTracker();
  inFlight = 0;
  /** For choosing the least used exit. Not a statistic: `skipMissedTurns` raises it after a pause. */
  uses = 0;
  #attempts = 0;
  #ok = 0;
  #failed = 0;
  #blocked = 0;
  #bytesOut = 0;
  #bytesIn = 0;
  #cost = 0;
  #consecutiveFailures = 0;
  #failingSince: number | null = null;

  constructor(key: string, { kind, host, port }: PoolServer) {
    this.key = key;
    this.name = `${kind}://${host}:${port}`;
  }

  report(result: ExitReport, price: ExitPrice | null, clock: Clock): ExitResult {
    const failed = this.health.report(result, clock.monotonic());
    if (failed) {
      this.#consecutiveFailures++;
      this.#failingSince ??= clock.now();
    } else if (result.failure === null) {
      this.#consecutiveFailures = 0;
      this.#failingSince = null;
    }
    const ok = !failed && result.failure === null;
    const blocked = result.failure === null && isBlocked(result.verdict);
    const bytes = result.bytesOut + result.bytesIn;
    const cost = price === null ? null : price.perRequest + trafficCost(bytes, price);
    this.#attempts++;
    if (failed) this.#failed++;
    if (ok) this.#ok++;
    if (blocked) this.#blocked++;
    this.#bytesOut += result.bytesOut;
    this.#bytesIn += result.bytesIn;
    this.#cost += cost ?? 0;
    return { ok, failed, blocked, bytes, cost };
  }

  state(country: string | null, price: ExitPrice | null, now: number): ExitState {
    const health = this.health.state(now);
    return {
      server: this.name,
      country,
      health,
      inFlight: this.inFlight,
      retryInMs: health === 'paused' ? this.health.waitMs(now) : null,
      lastFailure: this.health.lastFailure,
      consecutiveFailures: this.#consecutiveFailures,
      failingSince: this.#failingSince,
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
