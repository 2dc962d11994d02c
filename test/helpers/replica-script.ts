import { openCoordination } from '../../src/adapters/coordination/open-coordination.ts';
import { parseRedisUrl, type RedisAddress } from '../../src/domain/redis-address.ts';
import type { Holding } from '../../src/ports/coordination.ts';

/**
 * A replica as a process of its own, which does what the parent says: `take` asks for so many places at once, `release` gives back
 * so many. Every message is answered; `lost` is sent when the lease was lost.
 */
export type ReplicaCommand = { readonly take: number } | { readonly release: number };

export interface ReplicaAnswer {
  readonly granted: number;
  readonly refused: number;
  /** Names of the errors. */
  readonly failed: readonly string[];
  /** Places held now. */
  readonly held: number;
}

const [url, redisUrl] = process.argv.slice(2) as [string, string | undefined];
const coordination = await openCoordination({
  database: { url, directUrl: null, readUrl: null },
  redis: redisUrl === undefined ? null : (parseRedisUrl(redisUrl) as RedisAddress),
});
const { limits } = coordination;
let held: Holding[] = [];

const claims = [
  { name: 'user:1', limit: 50 },
  { name: `key:${process.pid}`, limit: 1_000 },
];

limits.onLost(() => {
  held = held.filter(({ signal }) => !signal.aborted);
  process.send!({ lost: true });
});

async function answer(command: ReplicaCommand): Promise<ReplicaAnswer> {
  if ('release' in command) {
    for (const holding of held.splice(0, command.release)) holding.release();
    return { granted: 0, refused: 0, failed: [], held: held.length };
  }
  const taken = await Promise.allSettled(Array.from({ length: command.take }, () => limits.take(claims)));
  const granted = taken
    .map((one) => (one.status === 'fulfilled' ? one.value : null))
    .filter((one) => one !== null);
  const failed = taken.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).name] : []));
  held.push(...granted.filter(({ signal }) => !signal.aborted));
  return {
    granted: granted.length,
    refused: taken.length - granted.length - failed.length,
    failed,
    held: held.length,
  };
}

process.on(
  'message',
  (command: ReplicaCommand) => void answer(command).then((result) => process.send!(result)),
);
process.on('disconnect', () => process.exit());
process.send!({ ready: true });
