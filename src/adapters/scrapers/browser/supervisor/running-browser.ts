import type { Lane } from '../launch/lane.ts';
import type { LaunchedBrowser } from '../launch/launched-browser.ts';
import { PagePriority } from './page-priority.ts';
import { lowerBrowser } from './scheduling.ts';
import { ownBytes, type WearLimits } from './wear.ts';

/** A browser that is in use, or waits to be. Closed when it is retired and the last user has left. */
export class RunningBrowser<L extends Lane = Lane> {
  readonly launched: LaunchedBrowser<L>;
  readonly startedAt = performance.now();
  /** Pages that are open in it now, and all that ever were. */
  leases = 0;
  served = 0;
  /** Pages that are open in it and disturb the others. */
  disturbing = 0;
  /** The others are to leave it, while any such page is open. */
  toBeLeft = false;
  readonly #priority: PagePriority;
  #retired = false;

  constructor(launched: LaunchedBrowser<L>) {
    this.launched = launched;
    this.#priority = new PagePriority(launched.pid);
    void launched.gone.then(() => this.#priority.stop());
  }

  get retired(): boolean {
    return this.#retired;
  }

  enter(): void {
    this.leases++;
    this.served++;
    this.#priority.start();
  }

  leave(): void {
    this.leases--;
    if (this.leases === 0) this.#priority.stop();
    if (this.#retired && this.leases === 0) void this.launched.close();
  }

  /** What it has too much of; null: it can go on. */
  worn({ pages, ageMs, bytes }: WearLimits): 'pages' | 'age' | 'memory' | 'disturbed' | null {
    if (this.toBeLeft && this.disturbing > 0) return 'disturbed';
    if (this.served >= pages) return 'pages';
    if (performance.now() - this.startedAt >= ageMs) return 'age';
    return ownBytes(this.launched.pid) >= bytes ? 'memory' : null;
  }

  /** With all its processes it gives way to every other browser from now on. */
  giveWay(): void {
    void lowerBrowser(this.launched.pid);
  }

  /** Nobody new enters. */
  retire(): void {
    this.#retired = true;
    if (this.leases === 0) void this.launched.close();
  }
}
