import { type Account, type Bank, ByteRoom } from './byte-room.ts';

/** Who waits for the budget. `need` is what is held after the wait, `most` the new claim. */
interface Wait {
  readonly account: Account;
  readonly need: number;
  readonly most: number;
  readonly done: (granted: boolean) => void;
}

/**
 * Bytes of memory that all scrapes share. Whoever wants more than there is waits: first those that hold something
 * already, because only they can give something back, then the others in the order in which they came.
 *
 * Waiting never ends in a deadlock. Everybody says at the beginning how much it can come to need at most, and bytes are
 * only given away while there is still an order in which all holders could get their most, one after the other (Dijkstra,
 * the banker's algorithm). Claims beyond the whole budget are taken as all of it: such a holder gets it alone.
 */
export class ByteBudget implements Bank {
  readonly capacity: number;
  readonly #holders = new Set<Account>();
  readonly #growing: Wait[] = [];
  readonly #coming: Wait[] = [];
  #used = 0;
  #counted = 0;

  /** @param capacity bytes */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Bytes that are held or counted now. */
  get inUse(): number {
    return this.#used + this.#counted;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#growing.length + this.#coming.length;
  }

  /** For one scrape; to be closed by whoever opened it. */
  open(): ByteRoom {
    return new ByteRoom(this);
  }

  /** Bytes that are there without having been asked for: they make others wait, but never wait themselves. */
  count(change: number): void {
    this.#counted += change;
    if (change < 0 && this.waiting > 0) this.#next();
  }

  /**
   * Raises what the account holds to `need`, and what it may come to hold to `most`. null: it has it; otherwise true
   * when it has it, false when the signal ended the wait.
   */
  raise(account: Account, need: number, most: number, signal: AbortSignal): null | Promise<boolean> {
    const all = this.capacity;
    const wait = { account, need: Math.min(need, all), most: Math.min(Math.max(need, most), all) };
    const queue = account.held > 0 ? this.#growing : this.#coming;
    const turn = account.held > 0 || (this.#coming.length === 0 && this.#growing.length === 0);
    if (turn && this.#grant(wait)) return null;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (granted: boolean) => {
        signal.removeEventListener('abort', onAbort);
        resolve(granted);
      };
      const entry: Wait = { ...wait, done: end };
      const onAbort = () => {
        queue.splice(queue.indexOf(entry), 1);
        end(false);
        // Whoever stood behind it may come now.
        this.#next();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(entry);
    });
  }

  /** Gives back down to `held`; from now on at most `most` is needed. */
  lower(account: Account, held: number, most: number): void {
    const kept = Math.min(held, account.held);
    this.#used -= account.held - kept;
    account.held = kept;
    account.most = Math.min(Math.max(kept, most), account.most);
    if (kept === 0) this.#holders.delete(account);
    if (this.waiting > 0) this.#next();
  }

  #next(): void {
    for (let at = 0; at < this.#growing.length; ) {
      const wait = this.#growing[at]!;
      if (this.#grant(wait)) {
        this.#growing.splice(at, 1);
        wait.done(true);
      } else at++;
    }
    while (this.#coming.length > 0 && this.#grant(this.#coming[0]!)) this.#coming.shift()!.done(true);
  }

  #grant({ account, need, most }: Omit<Wait, 'done'>): boolean {
    const more = Math.max(0, need - account.held);
    if (this.#used + this.#counted + more > this.capacity) return false;
    const { held: heldBefore, most: mostBefore } = account;
    account.held += more;
    account.most = Math.max(most, account.held);
    this.#used += more;
    this.#holders.add(account);
    if (this.#allCanEnd()) return true;
    account.held = heldBefore;
    account.most = mostBefore;
    this.#used -= more;
    if (heldBefore === 0) this.#holders.delete(account);
    return false;
  }

  /** Whether there is an order in which every holder gets all it may need. What is only counted comes back by itself. */
  #allCanEnd(): boolean {
    let free = this.capacity - this.#used;
    let neediest = 0;
    for (const { held, most } of this.#holders) neediest = Math.max(neediest, most - held);
    if (neediest <= free) return true;
    const modestFirst = [...this.#holders].sort((a, b) => a.most - a.held - (b.most - b.held));
    for (const { held, most } of modestFirst) {
      if (most - held > free) return false;
      free += held;
    }
    return true;
  }
}
