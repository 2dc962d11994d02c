import { readFileSync } from 'node:fs';
import type { Driver } from '../../domain/option.ts';
import type { BrowserActivity } from '../../domain/system.ts';
import type { LaunchedBrowser } from './launch.ts';
import type { PageGovernor } from './page-governor.ts';

/** A running browser, and the pages that are open in it. A retired browser is closed when its last page is closed. */
export class BrowserInstance {
  readonly launched: LaunchedBrowser<Driver>;
  readonly startedAt: number = performance.now();
  openPages = 0;
  /** All pages that were ever opened. */
  served = 0;
  /** No more pages are opened in it. */
  retired = false;
  readonly #governor: PageGovernor;
  readonly #onSaturated: (instance: BrowserInstance) => void;
  /** How many pages each user has in it. */
  readonly #users = new Map<string, number>();
  /** Watches the pages while there are any. */
  #watch: Disposable | null = null;

  /** @param onSaturated called while pages with endless scripts use all processors, if pages of several users are open */
  constructor(
    launched: LaunchedBrowser<Driver>,
    governor: PageGovernor,
    onSaturated: (instance: BrowserInstance) => void,
  ) {
    this.launched = launched;
    this.#governor = governor;
    this.#onSaturated = onSaturated;
  }

  pageOpened(userId: string): void {
    this.openPages++;
    this.served++;
    this.#users.set(userId, (this.#users.get(userId) ?? 0) + 1);
    this.#watch ??= this.#governor.watchPages(this.launched.pid, () => {
      if (this.#users.size > 1) this.#onSaturated(this);
    });
  }

  pageClosed(userId: string): void {
    this.openPages--;
    const remaining = this.#users.get(userId)! - 1;
    if (remaining > 0) this.#users.set(userId, remaining);
    else this.#users.delete(userId);
    if (this.openPages > 0) return;
    this.#stopWatching();
    if (this.retired) void this.launched.close();
  }

  retire(): void {
    this.retired = true;
    if (this.openPages === 0) void this.launched.close();
  }

  /** Call it when the process of the browser has ended. */
  onExited(): void {
    this.retired = true;
    this.#stopWatching();
    void this.launched.close();
  }

  lowerPriority(): void {
    this.#governor.lowerBrowser(this.launched.pid);
  }

  ageMs(): number {
    return performance.now() - this.startedAt;
  }

  memoryBytes(): number {
    return privateMemoryBytes(this.launched.pid);
  }

  state(): BrowserActivity['kinds'][number]['browsers'][number] {
    const { found, pid } = this.launched;
    return {
      version: found.version,
      pid,
      ageMs: Math.round(this.ageMs()),
      pages: this.openPages,
      served: this.served,
      draining: this.retired,
      memory: this.memoryBytes(),
    };
  }

  #stopWatching(): void {
    this.#watch?.[Symbol.dispose]();
    this.#watch = null;
  }
}

/** Memory pages of Linux, in which proc(5) counts. */
const PAGE_BYTES = 4_096;

/** Memory of a process that it does not share with others, in bytes; 0 without /proc, or if the process has ended. */
function privateMemoryBytes(pid: number): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
    return (Number(resident) - Number(shared)) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
