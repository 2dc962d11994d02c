import type { ClaimedExport, ExportRow, ExportState, ExportTarget, NewExport } from '../domain/exports.ts';
import type { Failure } from '../domain/failure.ts';
import type { StoredError } from '../domain/jobs.ts';

/** How a try ended. */
export interface ExportEnd {
  /** `pending`: it is tried again. */
  readonly state: Exclude<ExportState, 'sending'>;
  readonly nextAt: number;
  readonly status: number | null;
  readonly error: StoredError | null;
  readonly bytes: number | null;
  readonly sentTo: string | null;
  readonly now: number;
}

/**
 * Exports and their tries. Every implementation guarantees what JobStore does; a claim is a lease, and `end` stores nothing if the lease
 * is not the latest.
 */
export interface ExportStore {
  /** One to a `link` is done at once. */
  add(added: NewExport): Promise<void>;
  /** @param userId null: any user */
  get(id: string, userId: string | null): Promise<ExportRow | null>;
  /** The newest first. */
  ofJob(jobId: string, limit: number): Promise<readonly ExportRow[]>;
  ofRuns(scheduleId: string, runs: readonly number[]): Promise<readonly ExportRow[]>;
  /**
   * One that is due; null: there is none. A lease that has ended is claimed again.
   * @param perUser users of whom so many are claimed have to wait, so that slow targets of one do not hold up the others
   */
  claim(now: number, leaseUntil: number, perUser: number): Promise<ClaimedExport | null>;
  /** @returns false: the lease is lost */
  renew(claimed: Pick<ClaimedExport, 'id' | 'lease'>, leaseUntil: number): Promise<boolean>;
  /** Of a failed export of a run, people are told (`schedule.failed`). @returns false: the lease is lost */
  end(claimed: Pick<ClaimedExport, 'id' | 'lease' | 'scheduleId' | 'runN'>, end: ExportEnd): Promise<boolean>;
  /** Deletes those that were made before. */
  sweep(before: number): Promise<void>;
}

/** A file that is sent. It may be read several times. */
export interface ExportFile {
  readonly bytes: number;
  /** Media type. */
  readonly type: string;
  /** @param from offset of the first byte @param to that after the last one */
  read(from?: number, to?: number): AsyncIterable<Uint8Array>;
}

/** Files that wait to be sent, on the disk of this process. */
export interface ExportSpool {
  /**
   * Writes a file, calls `use`, and deletes the file. @returns `too_large`: it has more than `maxBytes`
   * Rejects with StorageError if it cannot be written, and as `pieces` do.
   */
  withFile<T>(
    id: string,
    type: string,
    pieces: AsyncIterable<string | Uint8Array>,
    maxBytes: number,
    use: (file: ExportFile) => Promise<T>,
  ): Promise<T | 'too_large'>;
}

export interface ExportAnswer {
  readonly status: number;
  /** The begin of the body. */
  readonly text: string;
}

/** Sends files to targets. Each address is judged at each connection; redirects are not followed. Never rejects because of the target. */
export interface ExportSender {
  /** Why nothing may be sent to the URL; null: it may, as far as can be told now. */
  check(url: URL, signal: AbortSignal): Promise<Failure | null>;
  upload(
    request: {
      readonly method: 'PUT' | 'POST';
      readonly url: URL;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly file: ExportFile;
    },
    signal: AbortSignal,
  ): Promise<ExportAnswer | Failure>;
  /** Stores an object. @param key its name, without placeholders @returns null: it is stored */
  putObject(
    target: Extract<ExportTarget, { kind: 's3' }>,
    key: string,
    file: ExportFile,
    signal: AbortSignal,
  ): Promise<ExportAnswer | Failure | null>;
  close(): void;
}
