import type { Clock } from '../base/time.ts';
import type { AccountStore, UsageRow } from '../ports/store.ts';

/** Usage of one key. */
export interface KeyUsage {
  readonly keyId: string;
  lastUsedAt: number | null;
  /** `lastUsedAt` is not stored yet. */
  unsaved: boolean;
  /** Stored scrapes of the current day, of all processes, as of the last reading. */
  stored: number;
  /** Scrapes of the current day that are not stored yet. Negative if a stored one was undone. */
  pending: number;
  /** Stored cost of the current day, in micro-units of the operator's currency. */
  storedCost: number;
  /** Cost of the current day that is not stored yet. */
  pendingCost: number;
  /** The key has a daily budget, so the counts of other processes must be read. */
  limited: boolean;
}

const DAY_MS = 86_400_000;

/**
 * Counts the usage of keys. It is exact within one process. The counts of other processes are read after each flush (every two
 * seconds), so a daily budget may be exceeded by what they have counted since.
 */
export class UsageTracker {
  readonly #store: AccountStore;
  readonly #clock: Clock;
  readonly #byKey = new Map<string, KeyUsage>();
  /** Keys whose `lastUsedAt` is not stored yet. */
  #touched: KeyUsage[] = [];
  /** Keys with scrapes or costs of the current day that are not stored yet. */
  #counted = new Set<KeyUsage>();
  /** The current day as `YYYY-MM-DD`, UTC. */
  #day = '';
  /** ms since the epoch. */
  #dayEnds = 0;
  /** Counts of earlier days that are not stored yet. */
  #late: UsageRow[] = [];
  #running: Promise<void> | null = null;

  constructor(store: AccountStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Reads the counts of today. */
  async load(): Promise<void> {
    this.#enterDay(this.#clock.now());
    await this.#readStored();
  }

  forKey(keyId: string): KeyUsage {
    let usage = this.#byKey.get(keyId);
    if (usage === undefined) {
      const none = { stored: 0, pending: 0, storedCost: 0, pendingCost: 0, limited: false };
      usage = { keyId, lastUsedAt: null, unsaved: false, ...none };
      this.#byKey.set(keyId, usage);
    }
    return usage;
  }

  /** Scrapes of the current day, including those of other processes as of the last reading. */
  scrapesToday(keyId: string): number {
    this.#enterCurrentDay();
    const { stored, pending } = this.forKey(keyId);
    return Math.max(0, stored + pending);
  }

  /** Cost of the scrapes of the current day, in micro-units, including those of other processes as of the last reading. */
  costToday(keyId: string): number {
    this.#enterCurrentDay();
    const { storedCost, pendingCost } = this.forKey(keyId);
    return storedCost + pendingCost;
  }

  /** Records a use of the key. */
  touch(usage: KeyUsage): void {
    usage.lastUsedAt = this.#clock.now();
    if (usage.unsaved) return;
    usage.unsaved = true;
    this.#touched.push(usage);
  }

  /** Counts one scrape. @returns false: `limit` (null: none) is reached for today */
  countScrape(usage: KeyUsage, limit: number | null): boolean {
    this.#enterCurrentDay();
    if (limit !== null) {
      usage.limited = true;
      if (usage.stored + usage.pending >= limit) return false;
    }
    if (usage.pending++ === 0) this.#counted.add(usage);
    return true;
  }

  /** Undoes `countScrape`, because the request was refused afterwards. */
  uncountScrape(usage: KeyUsage): void {
    // If the day has ended since then, the scrape is no longer counted.
    if (usage.stored + usage.pending <= 0) return;
    // Becomes negative if the count was stored meanwhile. The next flush then corrects the store.
    if (usage.pending-- === 0) this.#counted.add(usage);
  }

  /** Whether less than `limit` (micro-units) was spent today. */
  hasCostLeft(usage: KeyUsage, limit: number): boolean {
    usage.limited = true;
    return this.costToday(usage.keyId) < limit;
  }

  /** Adds the cost of a scrape to the current day. */
  spend(usage: KeyUsage, cost: number): void {
    this.#enterCurrentDay();
    usage.pendingCost += cost;
    this.#counted.add(usage);
  }

  /** Stores what was counted. If it rejects with StorageError, the next flush stores it. */
  flush(): Promise<void> {
    this.#running ??= this.#flush().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #flush(): Promise<void> {
    this.#enterCurrentDay();
    const touched = this.#touched;
    if (touched.length > 0) {
      this.#touched = [];
      for (const usage of touched) usage.unsaved = false;
      try {
        await this.#store.touchKeys(touched.map(({ keyId, lastUsedAt }) => ({ id: keyId, at: lastUsedAt! })));
      } catch (error) {
        for (const usage of touched) {
          if (usage.unsaved) continue;
          usage.unsaved = true;
          this.#touched.push(usage);
        }
        throw error;
      }
    }
    await this.#flushCounts();
  }

  async #flushCounts(): Promise<void> {
    const day = this.#day;
    const counted = this.#counted;
    const late = this.#late;
    const flushed = [...counted].map((usage) => ({
      usage,
      scrapes: usage.pending,
      cost: usage.pendingCost,
    }));
    if (flushed.length === 0 && late.length === 0) return;
    this.#counted = new Set();
    this.#late = [];
    const rows = flushed.map(({ usage, ...counts }) => ({ keyId: usage.keyId, day, ...counts }));
    const changes = [...late, ...rows].filter((row) => row.scrapes !== 0 || row.cost !== 0);
    if (changes.length === 0) return;
    try {
      await this.#store.addUsage(changes);
    } catch (error) {
      this.#late = [...late, ...this.#late];
      // If the day has ended meanwhile, these counts are in #late already.
      if (day === this.#day) for (const { usage } of flushed) this.#counted.add(usage);
      throw error;
    }
    if (day !== this.#day) return this.#subtractFromLate(rows);
    for (const { usage, scrapes, cost } of flushed) {
      usage.pending -= scrapes;
      usage.stored += scrapes;
      usage.pendingCost -= cost;
      usage.storedCost += cost;
      if (usage.pending !== 0 || usage.pendingCost !== 0) this.#counted.add(usage);
    }
    if (flushed.some(({ usage }) => usage.limited)) await this.#readStored();
  }

  /** The day has ended while these rows were being stored: `#enterDay` has added them to `#late`, although they are stored. */
  #subtractFromLate(rows: readonly UsageRow[]): void {
    for (const row of rows) this.#late.push({ ...row, scrapes: -row.scrapes, cost: -row.cost });
  }

  async #readStored(): Promise<void> {
    const day = this.#day;
    const rows = await this.#store.usage(day);
    if (day !== this.#day) return;
    for (const { keyId, scrapes, cost } of rows) {
      const usage = this.forKey(keyId);
      usage.stored = scrapes;
      usage.storedCost = cost;
    }
  }

  /** If the day has ended, moves its counts that are not stored to `#late`, and starts to count at 0. */
  #enterCurrentDay(): void {
    const now = this.#clock.now();
    if (now >= this.#dayEnds) this.#enterDay(now);
  }

  #enterDay(now: number): void {
    const start = Math.floor(now / DAY_MS) * DAY_MS;
    const day = new Date(start).toISOString().slice(0, 10);
    this.#dayEnds = start + DAY_MS;
    if (day === this.#day) return;
    for (const usage of this.#byKey.values()) {
      const { keyId, pending, pendingCost } = usage;
      if (pending !== 0 || pendingCost !== 0)
        this.#late.push({ keyId, day: this.#day, scrapes: pending, cost: pendingCost });
      usage.pending = 0;
      usage.stored = 0;
      usage.pendingCost = 0;
      usage.storedCost = 0;
    }
    this.#counted = new Set();
    this.#day = day;
  }
}
