import type { Lane } from '../launch/lane.ts';
import type { LaunchedBrowser } from '../launch/launched-browser.ts';
import { PagePriority } from './page-priority.ts';
import { lowerBrowser } from './scheduling.ts';
import { ownBytes, type WearLimits } from './wear.ts';

/** What a page of another user takes, in a browser that is left: it is not to come behind those that disturb it. */
const OTHERS_MS = 1_000;

/** Who looks after a browser. */
export interface Keeper<L extends Lane> {
  /** For pages that disturb others: it gives way to all other browsers. */
  readonly apart: boolean;
  /** It may be damaged: its pages may end in it, everybody else gets another one, which is started at once. */
  replace(running: RunningBrowser<L>): void;
  /**
   * Pages in it disturb the others: whoever comes gets another one, as soon as that runs, and this one becomes the one
   * apart, or ends with its last page. Not again and again, and not where such pages are among themselves.
   */
  disturbed(running: RunningBrowser<L>): void;
  /** A page of this user was closed in it. Has it done enough, another one is started, and takes its place once it runs. */
  left(running: RunningBrowser<L>, userId: string): void;
  /** @param why it has ended */
  gone(running: RunningBrowser<L>, why: string): void;
}

/** A browser that is in use, or waits to be. Closed when it is retired and the last user has left. */
export class RunningBrowser<L extends Lane = Lane> {
  readonly launched: LaunchedBrowser<L>;
  keeper: Keeper<L>;
  readonly startedAt = performance.now();
  /** Pages that are open in it now, and all that ever were. */
  leases = 0;
  served = 0;
  /** Pages in it disturb the others, who are to leave it. */
  toBeLeft = false;
  readonly #priority: PagePriority;
  /** Who has pages in it, and how many. */
  readonly #users = new Map<string, number>();
  #lowering: NodeJS.Timeout | null = null;
  #retired = false;

  constructor(launched: LaunchedBrowser<L>, keeper: Keeper<L>) {
    this.launched = launched;
    this.keeper = keeper;
    this.#priority = new PagePriority(launched.pid, () => {
      if (this.shared) this.keeper.disturbed(this);
    });
    void launched.gone.then((why) => {
      this.#priority.stop();
      if (this.#lowering !== null) clearTimeout(this.#lowering);
      this.keeper.gone(this, why);
    });
  }

  get retired(): boolean {
    return this.#retired;
  }

  /** More than one user has pages in it. */
  get shared(): boolean {
    return this.#users.size > 1;
  }

  enter(userId: string): void {
    this.#users.set(userId, (this.#users.get(userId) ?? 0) + 1);
    this.leases++;
    this.served++;
    this.#priority.start();
  }

  leave(userId: string): void {
    const left = this.#users.get(userId)! - 1;
    if (left > 0) this.#users.set(userId, left);
    else this.#users.delete(userId);
    this.leases--;
    if (this.leases === 0) this.#priority.stop();
    if (this.#retired && this.leases === 0) void this.launched.close();
  }

  /** What it has too much of; null: it can go on. */
  worn({ pages, ageMs, bytes }: WearLimits): 'pages' | 'age' | 'memory' | 'disturbed' | null {
    if (this.toBeLeft) return 'disturbed';
    if (this.served >= pages) return 'pages';
    if (performance.now() - this.startedAt >= ageMs) return 'age';
    return ownBytes(this.launched.pid) >= bytes ? 'memory' : null;
  }

  /** With all its processes it gives way to every other browser: from now on, or once the others in it had time to end. */
  giveWay(): void {
    const later = this.shared ? OTHERS_MS : 0;
    this.#lowering ??= setTimeout(() => void lowerBrowser(this.launched.pid), later).unref();
  }

  /** Nobody new enters. */
  retire(): void {
    this.#retired = true;
    if (this.leases === 0) void this.launched.close();
  }
}
