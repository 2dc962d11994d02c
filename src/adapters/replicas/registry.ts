import { hostname } from 'node:os';
import { uuid7 } from '../../base/uuid7.ts';
import type { ReplicaRole } from '../../domain/replicas.ts';
import { SettingsError } from '../../ports/proxies.ts';
import type { BrowserReport, LiveReplica, ReplicaSettings, Replicas } from '../../ports/replicas.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { commonKey, settingConflict, settingWarnings } from './compare-settings.ts';
import {
  LEASE_SECONDS,
  LIVES,
  liveReplicas,
  lockReplicas,
  OTHERS_SQL,
  readOthers,
  type SettingsOfReplica,
} from './liveness.ts';
import { takeSealingKey } from './sealing-key.ts';

export interface ReplicasOptions {
  readonly postgres: Postgres;
  readonly role: ReplicaRole;
  readonly version: string;
  readonly settings: ReplicaSettings;
  /** What other replicas may know about the browsers of this one; null: they run none for others. */
  readonly browsers: () => BrowserReport | null;
  /** Called when the registration cannot be renewed. */
  readonly onError: (error: unknown) => void;
}

const RENEW_MS = 2_000;
/** Without a renewal for this time, the replica ends what it does for others, before they count it as dead. */
const LOST_MS = 7_000;
const CHANNEL = 'sluice_replicas';

/** Of a replica that lacks a key with which others encrypt. */
const LACKS_KEY =
  'SLUICE_ENCRYPTION_KEY lacks a key with which other replicas encrypt. Set it to the same value on all replicas.';

/**
 * Registers this process among the replicas of the database, and keeps it registered. Rejects with `SettingsError` if a replica
 * lives whose settings differ where they must not, and with `StorageError` if the database fails.
 */
export async function openReplicas(options: ReplicasOptions): Promise<Replicas> {
  const registry = new Registry(options);
  await registry.register();
  registry.start();
  return registry;
}

class Registry implements Replicas {
  #id = '';
  readonly #options: ReplicasOptions;
  readonly #changeListeners = new Set<() => void>();
  readonly #lostListeners = new Set<() => void>();
  #others: readonly LiveReplica[] = [];
  #sealingKeyId = '';
  /** No newer key is taken before this time, monotonic ms: others may be about to register again, too. */
  #newerKeyAt = 0;
  #problem: string | null = null;
  #isDraining = false;
  #isClosed = false;
  #isLost = false;
  #renewedAt = performance.now();
  #timers: NodeJS.Timeout[] = [];
  #renewing: Promise<void> | null = null;

  constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#id;
  }

  get sealingKeyId(): string {
    return this.#sealingKeyId;
  }

  others(): readonly LiveReplica[] {
    return this.#others;
  }

  problem(): string | null {
    return this.#problem;
  }

  warnings(): readonly string[] {
    const { settings, version } = this.#options;
    return settingWarnings({ settings, version }, this.#others);
  }

  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  onLost(listener: () => void): () => void {
    this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  async renew(): Promise<void> {
    // One that runs already may have read what it stores.
    await this.#renewing;
    await this.#renewNow();
    await this.#notify();
  }

  async announceEnd(): Promise<void> {
    this.#isDraining = true;
    await this.renew();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#renewing;
    const { postgres, onError } = this.#options;
    try {
      await postgres.write([['DELETE FROM live_replicas WHERE id = ?', [this.id]]]);
      await this.#notify();
    } catch (error) {
      // It counts as dead soon.
      onError(error);
    }
  }

  /** Of several that start at once, the first one in the lock is the earlier one. */
  async register(): Promise<void> {
    const { postgres, role, version, settings } = this.#options;
    // A new one each time: what the earlier one held is lost.
    const id = uuid7(Date.now());
    // Others of before may not have registered again yet: the key stays until they had the time.
    const isFirst = this.#sealingKeyId === '';
    const keys = isFirst ? settings.encryptionKeys : [this.#sealingKeyId, ...settings.encryptionKeys];
    if (!isFirst) this.#newerKeyAt = performance.now() + LEASE_SECONDS * 1_000;
    const conflict = await postgres.transaction(async (connection) => {
      await lockReplicas(connection);
      await connection.run(
        `DELETE FROM live_replicas WHERE id = ? OR renewed_at < clock_timestamp() - interval '1 minute'`,
        [this.#id],
      );
      const others = await readOthers(connection, this.#id);
      const conflict = settingConflict(settings, others);
      if (conflict !== null) return conflict;
      const sealingKeyId = await takeSealingKey(connection, keys, others);
      if (sealingKeyId === null) return LACKS_KEY;
      await connection.run(
        'INSERT INTO live_replicas (id, role, version, host, settings, browsers, is_draining) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [
          ...[id, role, version, hostname(), this.#settingsText(sealingKeyId)],
          ...[this.#browsersText(), this.#isDraining],
        ],
      );
      this.#others = others;
      this.#sealingKeyId = sealingKeyId;
      return null;
    });
    if (conflict !== null) throw new SettingsError(conflict);
    this.#id = id;
    this.#renewedAt = performance.now();
    this.#isLost = false;
    this.#problem = null;
    await this.#notify();
  }

  start(): void {
    const { postgres } = this.#options;
    this.#timers.push(
      setInterval(() => void this.#renewNow(), RENEW_MS).unref(),
      // Also finds that the process itself stood still.
      setInterval(() => this.#checkLost(), RENEW_MS / 4).unref(),
    );
    postgres.listen(
      CHANNEL,
      (id) => {
        if (id !== this.id) void this.#renewNow();
      },
      () => void this.#renewNow(),
    );
  }

  #checkLost(): void {
    if (this.#isLost || performance.now() - this.#renewedAt < LOST_MS) return;
    this.#isLost = true;
    for (const listener of this.#lostListeners) listener();
  }

  #renewNow(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#checkLost();
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const { postgres, onError } = this.#options;
    const began = performance.now();
    try {
      const [updated, live] = await postgres.write([
        [
          `UPDATE live_replicas SET renewed_at = clock_timestamp(), browsers = ?, is_draining = ? WHERE id = ? AND ${LIVES}`,
          [this.#browsersText(), this.#isDraining, this.id],
        ],
        [OTHERS_SQL, [this.id]],
      ]);
      if (updated!.changes === 0) return await this.#registerAgain();
      this.#renewedAt = began;
      this.#isLost = false;
      this.#others = liveReplicas(live!.rows);
      await this.#takeNewerKey();
    } catch (error) {
      onError(error);
      return;
    }
    for (const listener of this.#changeListeners) listener();
  }

  /** The others count this replica as dead: what it did for them, they may have done again. */
  async #registerAgain(): Promise<void> {
    this.#isLost = true;
    for (const listener of this.#lostListeners) listener();
    try {
      await this.register();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      this.#problem = error.message;
    }
  }

  /** Encrypts with a newer key when all others know it. */
  async #takeNewerKey(): Promise<void> {
    const { postgres, settings } = this.#options;
    const newest = commonKey(settings, this.#others);
    if (newest === null || newest === this.#sealingKeyId || performance.now() < this.#newerKeyAt) return;
    await postgres.transaction(async (connection) => {
      await lockReplicas(connection);
      const others = await readOthers(connection, this.id);
      const id = await takeSealingKey(connection, settings.encryptionKeys, others);
      // Another one has registered meanwhile.
      if (id === null) return;
      await connection.run('UPDATE live_replicas SET settings = ? WHERE id = ?', [
        this.#settingsText(id),
        this.id,
      ]);
      this.#sealingKeyId = id;
    });
  }

  #settingsText(sealingKey: string): string {
    return JSON.stringify({ ...this.#options.settings, sealingKey } satisfies SettingsOfReplica);
  }

  #browsersText(): string | null {
    const browsers = this.#options.browsers();
    return browsers === null ? null : JSON.stringify(browsers);
  }

  #notify(): Promise<unknown> {
    return this.#options.postgres.write([['SELECT pg_notify(?, ?)', [CHANNEL, this.id]]]);
  }
}
