import { sleep } from '../../base/wait.ts';
import { CoordinationError, type SharedValues } from '../../ports/coordination.ts';
import { StorageError } from '../../ports/store.ts';
import type { ReplicatedLimits } from './shared-limits.ts';

const ASK_AGAIN_MS = 25;
/** For so long a caller waits for the replicas to agree who counts. */
const MAX_WAIT_MS = 10_000;

interface ReplicatedValuesOptions {
  /** They know who counts in this epoch. */
  readonly limits: Pick<ReplicatedLimits, 'agreed' | 'failure' | 'doubt'>;
  readonly postgres: SharedValues;
  /** Values of an epoch on the Redis server with this run id. */
  readonly redis: (redisRun: string, epoch: number) => SharedValues;
}

/**
 * Values where the limits are counted: on Redis, or in PostgreSQL while it is gone. Each epoch begins without values. While the
 * replicas agree on the next epoch, callers wait; so two replicas never use two servers.
 */
export function createReplicatedValues({ limits, postgres, redis }: ReplicatedValuesOptions): SharedValues {
  const inEpoch = async <T>(work: (values: SharedValues) => Promise<T>): Promise<T> => {
    const since = performance.now();
    for (;;) {
      const renewal = limits.agreed;
      if (renewal === null && limits.failure !== null) throw limits.failure;
      if (renewal?.redisRun === null) return await work(withPrefix(postgres, `${renewal.epoch}:`));
      if (renewal !== null) {
        const values = redis(renewal.redisRun, renewal.epoch);
        const result = await work(values).catch(unlessStorageError);
        if (!(result instanceof StorageError)) return result;
        await limits.doubt(renewal);
      }
      if (performance.now() - since > MAX_WAIT_MS)
        throw new CoordinationError('The replicas have not agreed yet who counts; retry soon.');
      await sleep(ASK_AGAIN_MS);
    }
  };
  return {
    get: (key) => inEpoch(async (values) => values.get(key)),
    update: (key, change) => inEpoch(async (values) => values.update(key, change)),
  };
}

function unlessStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  throw error;
}

const withPrefix = (values: SharedValues, prefix: string): SharedValues => ({
  get: (key) => values.get(prefix + key),
  update: (key, change) => values.update(prefix + key, change),
});
