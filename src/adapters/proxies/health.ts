import type { ExitHealth } from '../../domain/pools-state.ts';
import type { ProxyReason } from '../../domain/upstream.ts';
import type { ExitReport } from '../../ports/proxies.ts';

const FIRST_PAUSE_MS = 5_000;
/** Credentials do not mend themselves in seconds. */
const AUTH_PAUSE_MS = 60_000;
const MOST_PAUSE_MS = 300_000;
/** Failures in a row that may as well be the target's. */
const DOUBTS = 3;

/** Whose fault an attempt was: the exit's, that of others, or nobody can say. */
type Blame = 'good' | 'none' | 'doubt' | 'exit';

/**
 * Whether an exit can be used: after a failure it pauses, longer each time; then one attempt at a time finds out. Pure
 * but for what it remembers; times are monotonic ms.
 */
export class Health {
  #failures = 0;
  #doubts = 0;
  #until = 0;
  #probing = false;
  lastFailure: string | null = null;

  usable(now: number): boolean {
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
  begin(): boolean {
    this.#probing = this.#failures > 0;
    return this.#probing;
  }

  /** An attempt is over; without a report nothing can be said. */
  end(probe: boolean): void {
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
    if (blame === 'doubt' && this.#failures === 0 && ++this.#doubts < DOUBTS) return true;
    this.#doubts = 0;
    const first = this.lastFailure === 'auth' ? AUTH_PAUSE_MS : FIRST_PAUSE_MS;
    this.#until = now + Math.min(MOST_PAUSE_MS, first * 2 ** this.#failures);
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
