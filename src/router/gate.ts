import type { SiteKey } from './site-key.ts';

/** So many scouts go first to a target of which nothing is known; the others wait for what they find. */
const SCOUTS = 3;
const KNOWN_AFTER = 3;
/** Who is so sure of a page need not wait for others. */
const SURE = 0.9;
const WAIT_S = 2;
const WAIT_SHARE = 0.1;
/** With less time than this nobody waits. */
const HURRY_S = 8;

interface Flight {
  going: number;
  readonly waiting: Set<() => void>;
}

/** Keeps a crowd from trying every way at an unknown target at once. Holds nothing of targets at which nobody is. */
export class Gate {
  readonly #flights = new Map<string, Flight>();

  /** Seconds for which a first attempt is to wait for the scouts; 0: it may go. */
  wait(key: SiteKey, seen: number, p: number, secondsLeft: number): number {
    if (seen >= KNOWN_AFTER || p >= SURE || secondsLeft <= HURRY_S) return 0;
    const flight = this.#flights.get(textOf(key));
    if (flight === undefined || flight.going < SCOUTS) return 0;
    return Math.min(WAIT_S, secondsLeft * WAIT_SHARE);
  }

  enter(key: SiteKey): void {
    const text = textOf(key);
    const flight = this.#flights.get(text);
    if (flight === undefined) this.#flights.set(text, { going: 1, waiting: new Set() });
    else flight.going++;
  }

  /** The first attempt has ended: who waits may look again. */
  leave(key: SiteKey): void {
    const text = textOf(key);
    const flight = this.#flights.get(text);
    if (flight === undefined) return;
    if (--flight.going <= 0) this.#flights.delete(text);
    const waiting = [...flight.waiting];
    flight.waiting.clear();
    for (const go of waiting) go();
  }

  /** Calls `go` when somebody leaves; what comes back takes that away again. */
  onLeave(key: SiteKey, go: () => void): () => void {
    const waiting = this.#flights.get(textOf(key))?.waiting;
    waiting?.add(go);
    return () => waiting?.delete(go);
  }
}

const textOf = ({ site, pattern }: SiteKey): string => site + pattern;
