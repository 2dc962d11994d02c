import type { Clock } from '../../base/time.ts';
import type {
  Coordination,
  Holding,
  LimitClaim,
  MessageBus,
  SharedCounters,
  SharedLimits,
  SharedValues,
  ValueChange,
} from '../../ports/coordination.ts';

/** Limit of values. The oldest is removed. */
const MAX_ENTRIES = 200_000;
/** Limit of all values together. */
const MAX_CHARACTERS = 32 * 2 ** 20;

/**
 * For a process alone: in memory, and every answer at once, because promises cost time.
 * @param counters they outlive the process, because they count what costs money
 */
export function createInProcessCoordination(clock: Clock, counters: SharedCounters): Coordination {
  return {
    limits: new InProcessLimits(),
    counters,
    values: new InProcessValues(clock),
    keptValues: new InProcessValues(clock),
    bus: new InProcessBus(),
    counter: () => 'process',
    async close() {},
  };
}

/** Nobody else can take a place, so it is never lost. */
const NEVER_LOST = new AbortController().signal;

class InProcessLimits implements SharedLimits {
  /** Only names under which places are held. */
  readonly #counts = new Map<string, number>();

  take(claims: readonly LimitClaim[]): Holding | null {
    let remaining = Number.MAX_SAFE_INTEGER;
    for (const { name, limit } of claims) {
      const room = limit - this.inUse(name);
      if (room <= 0) return null;
      remaining = Math.min(remaining, room - 1);
    }
    for (const { name } of claims) this.#counts.set(name, this.inUse(name) + 1);
    return new InProcessHolding(this.#counts, claims, remaining);
  }

  /** Nothing is ever lost. */
  onLost(): void {}

  inUse(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  inUseBelow(prefix: string): number {
    let total = 0;
    for (const [name, count] of this.#counts) if (name.startsWith(prefix)) total += count;
    return total;
  }
}

class InProcessHolding implements Holding {
  readonly remaining: number;
  readonly #counts: Map<string, number>;
  /** Empty: the places were given back. */
  #claims: readonly LimitClaim[];

  constructor(counts: Map<string, number>, claims: readonly LimitClaim[], remaining: number) {
    this.#counts = counts;
    this.#claims = claims;
    this.remaining = remaining;
  }

  get signal(): AbortSignal {
    return NEVER_LOST;
  }

  release(): void {
    for (const { name } of this.#claims) {
      const count = this.#counts.get(name) ?? 0;
      if (count <= 1) this.#counts.delete(name);
      else this.#counts.set(name, count - 1);
    }
    this.#claims = [];
  }
}

class InProcessValues implements SharedValues {
  readonly #clock: Clock;
  /** In the order of the last change. `endsAt` is monotonic, in ms. */
  readonly #values = new Map<string, { readonly value: string; readonly endsAt: number }>();
  /** Of all values together. */
  #characters = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): string | null {
    const found = this.#values.get(key);
    if (found === undefined) return null;
    if (found.endsAt > this.#clock.monotonic()) return found.value;
    this.#delete(key);
    return null;
  }

  update(key: string, change: ValueChange): string | null {
    const current = this.get(key);
    const changed = change(current, this.#clock.monotonic());
    if (changed === 'keep') return current;
    this.#delete(key);
    if (changed === 'delete') return null;
    const { value, ttlMs } = changed;
    this.#values.set(key, { value, endsAt: this.#clock.monotonic() + ttlMs });
    this.#characters += value.length;
    while (this.#values.size > MAX_ENTRIES || this.#characters > MAX_CHARACTERS)
      this.#delete(this.#values.keys().next().value!);
    return value;
  }

  #delete(key: string): void {
    this.#characters -= this.#values.get(key)?.value.length ?? 0;
    this.#values.delete(key);
  }
}

class InProcessBus implements MessageBus {
  readonly #subscribers = new Map<string, Set<(message: string) => void>>();

  publish(channel: string, message: string): void {
    // After the caller, as a message over a network comes.
    queueMicrotask(() => {
      for (const onMessage of this.#subscribers.get(channel) ?? []) onMessage(message);
    });
  }

  subscribe(channel: string, onMessage: (message: string) => void): () => void {
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, subscribers);
    // A function of its own, so that the same one can subscribe twice.
    const subscriber = (message: string) => onMessage(message);
    subscribers.add(subscriber);
    return () => subscribers.delete(subscriber);
  }
}
