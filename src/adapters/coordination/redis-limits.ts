import type { ExchangeResult, LimitServer } from './limit-server.ts';
import type { RedisConnection } from './redis.ts';

const LEASE_MS = 10_000;

/**
 * Begins each script. `marker` is the epoch that this server counts. It is not there if data was lost; and another run id says that
 * this is another server, or the same after a restart, with data that may be old.
 */
export const BEGIN = `
local x = cjson.decode(ARGV[1])
local prefix = string.sub(KEYS[1], 1, -7)
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
local function counts() return run == x.run and redis.call('GET', KEYS[1]) == x.epoch end
local function places(name) return prefix .. 'places:' .. x.epoch .. ':' .. name end
local function replica(id) return prefix .. 'replica:' .. x.epoch .. ':' .. id end
local names = prefix .. 'names:' .. x.epoch
-- Places of live replicas, but x.replica; those of the dead are deleted.
local function others(name)
  local total = 0
  local all = redis.call('HGETALL', places(name))
  for i = 1, #all, 2 do
    if all[i] ~= x.replica then
      if redis.call('EXISTS', replica(all[i])) == 1 then total = total + tonumber(all[i + 1])
      else redis.call('HDEL', places(name), all[i]) end
    end
  end
  return total
end
`;

/** Writes, so that a server which takes no writes (a replica, or one without memory) counts as one that cannot be reached. */
const IDENTIFY = `${BEGIN}
redis.call('SET', prefix .. 'probe', run, 'PX', 10000)
return run
`;

/** Forgets the epoch that this server counted before, and begins a new one. */
const PREPARE = `${BEGIN}
local old = redis.call('GET', KEYS[1])
if old then
  local oldNames = prefix .. 'names:' .. old
  for _, name in ipairs(redis.call('SMEMBERS', oldNames)) do
    redis.call('UNLINK', prefix .. 'places:' .. old .. ':' .. name)
  end
  redis.call('UNLINK', oldNames)
end
if run ~= x.run then return 0 end
redis.call('SET', KEYS[1], x.epoch)
return 1
`;

const RENEW = `${BEGIN}
if not counts() then return 'data_lost' end
if x.isNew then
  redis.call('SET', replica(x.replica), '0', 'NX')
end
if redis.call('PEXPIRE', replica(x.replica), x.leaseMs) == 1 then return 'renewed' end
return 'ended'
`;

const LEAVE = `${BEGIN} redis.call('DEL', replica(x.replica))`;

const EXCHANGE = `${BEGIN}
local seq = redis.call('GET', replica(x.replica))
if not counts() or not seq or tonumber(seq) >= x.seq then return nil end
redis.call('SET', replica(x.replica), x.seq, 'KEEPTTL')
local totals, added, granted, remaining = {}, {}, {}, {}
for _, group in ipairs(x.groups) do
  local room = group.wanted
  for _, claim in ipairs(group.claims) do
    local n = claim.name + 1
    totals[n] = totals[n] or (others(x.names[n]) + x.held[n])
    room = math.min(room, claim.limit - totals[n])
  end
  room = math.max(room, 0)
  local rest = 2147483647
  for _, claim in ipairs(group.claims) do
    local n = claim.name + 1
    totals[n] = totals[n] + room
    added[n] = (added[n] or 0) + room
    rest = math.min(rest, claim.limit - totals[n])
  end
  granted[#granted + 1] = room
  remaining[#remaining + 1] = math.max(rest, 0)
end
for n, name in ipairs(x.names) do
  local count = x.held[n] + (added[n] or 0)
  if count > 0 then
    redis.call('HSET', places(name), x.replica, count)
    redis.call('SADD', names, name)
  else
    redis.call('HDEL', places(name), x.replica)
    if redis.call('EXISTS', places(name)) == 0 then redis.call('SREM', names, name) end
  end
end
return {granted, remaining}
`;

/** `x.replica` is no replica here, so that `others` counts all. */
const COUNT = `${BEGIN}
local total = 0
if x.name then return others(x.name) end
for _, name in ipairs(redis.call('SMEMBERS', names)) do
  if string.sub(name, 1, #x.prefix) == x.prefix then total = total + others(name) end
end
return total
`;

/** Some of the names under which only dead replicas hold places. */
const SWEEP = `${BEGIN}
for _, name in ipairs(redis.call('SRANDMEMBER', names, 1000)) do
  others(name)
  if redis.call('EXISTS', places(name)) == 0 then redis.call('SREM', names, name) end
end
`;

/** Runs a script that starts with `BEGIN` and reads `argument` as `x`. Rejects with `StorageError`. */
export type RunScript = (script: string, argument: object) => Promise<unknown>;

/** A Redis server as a counter of places, for one installation. */
export class RedisLimits {
  readonly #connection: RedisConnection;
  readonly #marker: string;

  constructor(connection: RedisConnection, installation: string) {
    this.#connection = connection;
    this.#marker = `{sluice:${installation}}:marker`;
  }

  /** The run id of the server. Rejects with `StorageError`. */
  async identify(): Promise<string> {
    return (await this.#run(IDENTIFY, { epoch: '' })) as string;
  }

  /** Makes the server ready to count in this epoch. Rejects if it is another server than `run`. */
  async prepare(run: string, epoch: number): Promise<void> {
    if ((await this.#run(PREPARE, { run, epoch: String(epoch) })) !== 1)
      throw new Error('another Redis server answers');
  }

  async sweep(run: string, epoch: number): Promise<void> {
    await this.#run(SWEEP, { run, epoch: String(epoch), replica: '' });
  }

  /** The server that counts while its run id is `run`. */
  server(run: string): LimitServer {
    const call = (script: string, epoch: number, argument: object) =>
      this.scripts(run, epoch)(script, { replica: '', ...argument });
    return {
      renew: async (replica, epoch, isNew) =>
        (await call(RENEW, epoch, { replica, isNew, leaseMs: LEASE_MS })) as
          | 'renewed'
          | 'ended'
          | 'data_lost',
      async leave(replica, epoch) {
        await call(LEAVE, epoch, { replica });
      },
      async exchange({ epoch, ...exchange }): Promise<ExchangeResult | null> {
        const result = (await call(EXCHANGE, epoch, exchange)) as [number[], number[]] | null;
        return result === null ? null : { granted: result[0], remaining: result[1] };
      },
      inUse: async (epoch, name) => (await call(COUNT, epoch, { name })) as number,
      inUseBelow: async (epoch, prefix) => (await call(COUNT, epoch, { prefix })) as number,
    };
  }

  /** Scripts that ask the server whether it counts in this epoch, with the run id `run`. */
  scripts(run: string, epoch: number): RunScript {
    return (script, argument) => this.#run(script, { ...argument, run, epoch: String(epoch) });
  }

  #run(script: string, argument: object): Promise<unknown> {
    return this.#connection.run(script, this.#marker, JSON.stringify(argument));
  }
}
