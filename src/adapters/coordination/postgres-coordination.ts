import type {
  CounterChange,
  MessageBus,
  SharedCounters,
  SharedValues,
  ValueChange,
} from '../../ports/coordination.ts';
import type { Postgres } from '../postgres/postgres.ts';

export function createPostgresCounters(database: Postgres): SharedCounters {
  return {
    async add(name, { amount, limit, expiresAt }: CounterChange) {
      const [result] = await database.write([
        [
          'SELECT counter_add(?, ?, ?, to_timestamp(?::float8 / 1000)) AS total',
          [name, amount, limit, expiresAt],
        ],
      ]);
      return (result!.rows[0] as { total: number | null }).total;
    },
    async total(name) {
      const [result] = await database.write([
        ['SELECT total FROM shared_counters WHERE name = ? AND expires_at > clock_timestamp()', [name]],
      ]);
      return (result!.rows[0] as { total: number } | undefined)?.total ?? 0;
    },
  };
}

export function createPostgresValues(database: Postgres): SharedValues {
  /** @returns also the time of the server, ms */
  async function read(key: string): Promise<{ readonly value: string | null; readonly now: number }> {
    const [result] = await database.write([
      [
        `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now,
(SELECT value FROM shared_values WHERE key = ? AND expires_at > clock_timestamp()) AS value`,
        [key],
      ],
    ]);
    return result!.rows[0] as { value: string | null; now: number };
  }
  return {
    get: async (key) => (await read(key)).value,
    async update(key, change: ValueChange) {
      for (;;) {
        const { value: current, now } = await read(key);
        const changed = change(current, now);
        if (changed === 'keep' || (changed === 'delete' && current === null)) return current;
        const value = changed === 'delete' ? null : changed.value;
        const ttlMs = changed === 'delete' ? 0 : Math.ceil(changed.ttlMs);
        const [result] = await database.write([
          ['SELECT value_replace(?, ?, ?, ?) AS done', [key, current, value, ttlMs]],
        ]);
        if ((result!.rows[0] as { done: number }).done === 1) return value;
      }
    },
  };
}

const CHANNEL_PREFIX = 'sluice_';

interface Subscriber {
  readonly onMessage: (message: string) => void;
  readonly onMissed: (() => void) | undefined;
}

export function createPostgresBus(database: Postgres): MessageBus {
  const subscribers = new Map<string, Set<Subscriber>>();
  return {
    publish(channel, message) {
      database.write([['SELECT pg_notify(?, ?)', [CHANNEL_PREFIX + channel, message]]]).catch(() => {});
    },
    subscribe(channel, onMessage, onMissed) {
      const subscriber = { onMessage, onMissed };
      const known = subscribers.get(channel);
      const all = known ?? new Set();
      all.add(subscriber);
      if (known === undefined) {
        subscribers.set(channel, all);
        database.listen(
          CHANNEL_PREFIX + channel,
          (message) => {
            for (const one of all) one.onMessage(message);
          },
          () => {
            for (const one of all) one.onMissed?.();
          },
        );
      }
      return () => all.delete(subscriber);
    },
  };
}
