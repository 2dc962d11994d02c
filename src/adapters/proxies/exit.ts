import { trafficCost } from '../../domain/cost.ts';
import type { PoolServer } from '../../domain/pools.ts';
import type { ExitState } from '../../domain/pools-state.ts';
import type { ExitPrice } from '../../domain/prices.ts';
import { isBlocked } from '../../domain/verdict.ts';
import type { ExitReport } from '../../ports/proxies.ts';
import { Health } from './health.ts';

/** One proxy server of a pool, or the gate of a provider: its health, and what went through it. It outlives reloads. */
export class Exit {
  /** Tells servers and credentials apart; holds neither. */
  readonly key: string;
  /** For people. */
  readonly name: string;
  readonly health = new Health();
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
