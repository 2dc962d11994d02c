import { sleep } from '../../base/wait.ts';
import { addEncryptionKey, encryptionKeys } from '../../config/data-dir.ts';
import { type Data, lockDataDir, openSealer, replicasWithOlderKey } from '../../data.ts';
import { SEAL_PURPOSES, SealError, type Sealer } from '../../domain/sealing.ts';
import type { SealedCount, SealedValue, SecretStore } from '../../ports/secrets.ts';
import { type CommandContext, CommandError, type RunCommand } from '../core/command.ts';

/** Ids of the keys that are configured, the newest first. */
function knownKeyIds(io: CommandContext): readonly string[] {
  const keys = encryptionKeys(io.config());
  if (typeof keys === 'string') throw new CommandError(keys);
  return keys.map(({ id }) => id);
}

export const listSecrets: RunCommand = async (_call, io) => {
  const known = knownKeyIds(io);
  const counts = await io.withData(({ store }) => store.secrets.counts());
  for (const [index, id] of known.entries())
    io.out(`${id}\t${index === 0 ? 'newest' : 'older'}\t${countText(counts, id)}`);
  const others = new Set(counts.map(({ keyId }) => keyId).filter((id) => !known.includes(id ?? '')));
  for (const id of others)
    io.out(`${id ?? '-'}\t${id === null ? 'not encrypted' : 'MISSING'}\t${countText(counts, id)}`);
  return 0;
};

/** `12 requests of jobs, 3 …`, or `nothing`. */
function countText(counts: readonly SealedCount[], id: string | null): string {
  const texts = counts
    .filter(({ keyId }) => keyId === id)
    .map(({ purpose, count }) => `${count} ${SEAL_PURPOSES[purpose]}`);
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

export const rotateSecrets: RunCommand = async ({ flags }, io) => {
  if (!flags.has('new-key')) return await reencrypt(io);
  if (io.config().encryptionKeys !== null)
    throw new CommandError(
      '--new-key is for a key in the data folder. With SLUICE_ENCRYPTION_KEY, put a new key before the others (openssl rand -base64 32)',
    );
  // A service that is running would not know the new key.
  const lock = await lockDataDir(io.config());
  try {
    addEncryptionKey(io.config());
    return await reencrypt(io);
  } finally {
    lock.release();
  }
};

async function reencrypt(io: CommandContext): Promise<number> {
  return await io.withData(async (data) => {
    const { store } = data;
    await newestKeyEverywhere(data, io);
    const sealer = await openSealer(io.config(), data);
    const { changed, damaged } = await reencryptAll(store.secrets, sealer);
    io.out(`${changed} values were encrypted with the key ${sealer.keyId}`);
    if (damaged > 0) io.err(`warning: ${damaged} values cannot be decrypted and were left as they are`);
    const counts = await store.secrets.counts();
    const unused = (await store.secrets.keyIds()).filter(
      (id) => id !== sealer.keyId && !counts.some(({ keyId }) => keyId === id),
    );
    await store.secrets.removeKeyIds(unused);
    const removable = knownKeyIds(io).filter(
      (id) => id !== sealer.keyId && !counts.some(({ keyId }) => keyId === id),
    );
    if (removable.length > 0)
      io.out(`no longer needed, except for backups made until now: ${removable.join(', ')}`);
    return damaged > 0 ? 1 : 0;
  });
}

/** How long replicas may take to use a key that all of them know: a dead one counts as alive for ten seconds. */
const AGREE_MS = 30_000;
const ASK_MS = 500;

/** What a replica encrypts with an older key after this command would stay so. */
async function newestKeyEverywhere(data: Data, io: CommandContext): Promise<void> {
  const end = performance.now() + AGREE_MS;
  for (;;) {
    const behind = await replicasWithOlderKey(io.config(), data);
    if (behind.length === 0) return;
    if (performance.now() > end)
      throw new CommandError(
        `replicas do not encrypt with the newest key yet: ${behind.join(', ')}. Start all of them with this SLUICE_ENCRYPTION_KEY first`,
      );
    await sleep(ASK_MS);
  }
}

/** Encrypts all values with the newest key, in steps that are complete in themselves. */
async function reencryptAll(
  store: SecretStore,
  sealer: Sealer,
): Promise<{ readonly changed: number; readonly damaged: number }> {
  let changed = 0;
  let damaged = 0;
  let after: unknown = null;
  do {
    const page = await store.sealedOtherwise(sealer.keyId, after);
    const changes = page.values.flatMap((value) => {
      const sealed = sealAgain(value, sealer);
      return sealed === null ? [] : [{ value, sealed }];
    });
    damaged += page.values.length - changes.length;
    changed += await store.replace(changes);
    after = page.next;
  } while (after !== null);
  return { changed, damaged };
}

/** null: it cannot be decrypted. */
function sealAgain({ purpose, owner, sealed }: SealedValue, sealer: Sealer): Uint8Array | null {
  try {
    return sealer.seal(purpose, owner, sealer.open(purpose, owner, sealed));
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

export const forgetSecrets: RunCommand = async ({ words }, io) => {
  const id = words[0]!;
  if (knownKeyIds(io).includes(id))
    throw new CommandError(
      `the key ${id} is not lost. Remove it from SLUICE_ENCRYPTION_KEY or the data folder first`,
    );
  const deleted = await io.withData(async ({ store }) => {
    const count = await store.secrets.deleteSealedWith(id);
    await store.secrets.removeKeyIds([id]);
    return count;
  });
  if (deleted === 0)
    throw new CommandError(`nothing is encrypted with the key "${id}"; see sluice secrets list`);
  io.out(`${deleted} values were deleted`);
  return 0;
};
