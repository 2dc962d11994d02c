import type { ReplicaRole } from '../domain/replicas.ts';
import type { BrowserActivity, BrowserReadiness, InstalledBrowser } from '../domain/system.ts';

/** The browsers of a worker. */
export interface BrowserReport {
  /** Format of the hand-overs that it understands. */
  readonly format: number;
  readonly installed: readonly InstalledBrowser[];
  readonly readiness: BrowserReadiness;
  readonly activity: BrowserActivity;
}

/** The settings of a replica, so that others can compare theirs. Hashes reveal no value. */
export interface ReplicaSettings {
  /** Ids of the encryption keys, the newest first. */
  readonly encryptionKeys: readonly string[];
  /** Hashes of the settings that all replicas must share, by the name of the variable. */
  readonly shared: Readonly<Record<string, string>>;
  /** Hashes of the others, which should be equal, but may differ while a change is rolled out. */
  readonly others: Readonly<Record<string, string>>;
}

/** A process of the service that lives. */
export interface LiveReplica {
  readonly id: string;
  readonly role: ReplicaRole;
  readonly version: string;
  /** Name of its machine or container. */
  readonly host: string;
  /** It is about to end, and takes no new work. */
  readonly isDraining: boolean;
  readonly settings: ReplicaSettings;
  /** Id of the encryption key that it encrypts with. */
  readonly sealingKeyId: string;
  /** null: it runs no browsers for others, or they are not known yet. */
  readonly browsers: BrowserReport | null;
}

/** The processes that work on one database. A replica that is not heard of for ten seconds counts as dead. */
export interface Replicas {
  /** Another one after each registration. */
  readonly id: string;
  /** Id of the key that this replica encrypts with: the newest that all know. It becomes a newer one when the others know that. */
  readonly sealingKeyId: string;
  /** The other replicas that live, as of the last two seconds. */
  others(): readonly LiveReplica[];
  /** Differences of settings, as messages for operators. */
  warnings(): readonly string[];
  /** Why this replica is not registered; null: it is. */
  problem(): string | null;
  /** Calls `listener` when replicas may have come or gone. @returns ends that */
  onChange(listener: () => void): () => void;
  /**
   * Calls `listener` when this replica could not renew its registration for seven seconds, or finds that it counts as dead: it must
   * end what it does for others. @returns ends that
   */
  onLost(listener: () => void): () => void;
  /** Tells the others now what has changed of its browsers. */
  renew(): Promise<void>;
  /** Tells the others that this replica is about to end. */
  announceEnd(): Promise<void>;
  close(): Promise<void>;
}
