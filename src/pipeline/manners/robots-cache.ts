import type { RobotsTxt } from '../../content/robots-txt.ts';

/** What is known of the robots.txt of one origin. */
export type KnownRobots =
  /** `size`: length of its text. `statusCode`: what it was answered with. */
  | { readonly kind: 'rules'; readonly rules: RobotsTxt; readonly size: number; readonly statusCode: number }
  /** There is none: all is allowed. */
  | { readonly kind: 'none'; readonly statusCode: number | null }
  /** The server fails: nothing is allowed (RFC 9309 §2.3.1.4). */
  | { readonly kind: 'failing'; readonly statusCode: number };

/** RFC 9309 §2.4. */
const FRESH_MS = 24 * 3_600_000;
/** A failing server is asked again soon. */
const FAILING_MS = 60_000;
const SITES_MOST = 10_000;
const TEXT_MOST = 32 * 1024 * 1024;

/** The robots.txt of the origins that were asked last. */
export class RobotsCache {
  /** In the order of their coming. */
  readonly #known = new Map<string, { readonly robots: KnownRobots; readonly until: number }>();
  #text = 0;

  /** @param now monotonic, ms */
  fresh(origin: string, now: number): KnownRobots | null {
    const found = this.#known.get(origin);
    return found === undefined || found.until <= now ? null : found.robots;
  }

  /** Rules whose time is up: good as long as the server cannot give newer ones. */
  stale(origin: string): KnownRobots | null {
    const found = this.#known.get(origin)?.robots;
    return found?.kind === 'rules' ? found : null;
  }

  keep(origin: string, robots: KnownRobots, now: number): void {
    this.#drop(origin);
    this.#text += sizeOf(robots);
    this.#known.set(origin, { robots, until: now + (robots.kind === 'failing' ? FAILING_MS : FRESH_MS) });
    while (this.#known.size > SITES_MOST || this.#text > TEXT_MOST)
      this.#drop(this.#known.keys().next().value!);
  }

  /** The old rules go on for a while, before the server is asked again. */
  prolong(origin: string, now: number): void {
    const found = this.#known.get(origin);
    if (found !== undefined) this.#known.set(origin, { ...found, until: now + FAILING_MS });
  }

  #drop(origin: string): void {
    const found = this.#known.get(origin);
    if (found === undefined) return;
    this.#text -= sizeOf(found.robots);
    this.#known.delete(origin);
  }
}

const sizeOf = (robots: KnownRobots): number => (robots.kind === 'rules' ? robots.size : 0);
