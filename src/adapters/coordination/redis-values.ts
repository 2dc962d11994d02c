import type { ExpiringValue, SharedValues } from '../../ports/coordination.ts';
import { StorageError } from '../../ports/store.ts';
import { BEGIN, type RunScript } from './redis-limits.ts';

/** Values belong to their epoch, so a new one begins without any. */
const VALUE = `${BEGIN}
if not counts() then return nil end
local key = prefix .. 'value:' .. x.epoch .. ':' .. x.key
`;

/** @returns the value, or false, and the time of the server in ms */
const READ = `${VALUE}
local time = redis.call('TIME')
return {redis.call('GET', key), time[1] * 1000 + math.floor(time[2] / 1000)}
`;

/** Replaces `x.old` by `x.new`; neither is there if it is no value. @returns 1: done, 0: the value is another one */
const REPLACE = `${VALUE}
if (redis.call('GET', key) or nil) ~= x.old then return 0 end
if x.new then redis.call('SET', key, x.new, 'PX', x.ttlMs)
else redis.call('DEL', key) end
return 1
`;

/** Values on a Redis server. Methods reject with `StorageError` if it fails, or no longer counts in this epoch. */
export function createRedisValues(run: RunScript): SharedValues {
  const call = async <T>(script: string, argument: object): Promise<T> => {
    const result = await run(script, argument);
    if (result === null) throw new StorageError('Redis: another epoch has begun, or data was lost');
    return result as T;
  };
  const read = (key: string) => call<[string | null, number]>(READ, { key });
  const replace = (key: string, old: string | null, value: ExpiringValue | null) =>
    call<number>(REPLACE, {
      key,
      ...(old === null ? {} : { old }),
      ...(value === null ? {} : { new: value.value, ttlMs: Math.ceil(value.ttlMs) }),
    });
  return {
    get: async (key) => (await read(key))[0],
    async update(key, change) {
      for (;;) {
        const [current, now] = await read(key);
        const changed = change(current, now);
        if (changed === 'keep' || (changed === 'delete' && current === null)) return current;
        const value = changed === 'delete' || changed.ttlMs <= 0 ? null : changed;
        if ((await replace(key, current, value)) === 1) return value === null ? null : value.value;
      }
    },
  };
}
