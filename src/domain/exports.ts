import type { StoredError } from './jobs.ts';

/** An export writes the results of a job as a file, and sends it to a target (contract §25). Times are ms since the epoch. */

export const EXPORT_FORMATS = ['jsonl', 'csv', 'xlsx'] as const;
export type FileFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_TYPES: Readonly<Record<FileFormat, string>> = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export const EXPORT_TARGETS = ['link', 'webhook', 'put', 's3'] as const;
export type ExportTargetKind = (typeof EXPORT_TARGETS)[number];

/** Where an export goes, with its secrets. */
export type ExportTarget =
  | { readonly kind: 'link'; readonly expiresInS: number }
  | {
      readonly kind: 'webhook' | 'put';
      /** Of `put` with placeholders. */
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 's3';
      readonly endpoint: string;
      readonly bucket: string;
      readonly region: string;
      /** Name of the object, with placeholders. */
      readonly key: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly pathStyle: boolean;
    };

/** `failed`: given up. */
export const EXPORT_STATES = ['pending', 'sending', 'done', 'failed'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** An export to be made. */
export interface NewExport {
  /** UUID version 7. */
  readonly id: string;
  readonly userId: string;
  readonly jobId: string;
  /** Whose run it is of; null: it was asked for. */
  readonly scheduleId: string | null;
  readonly runN: number | null;
  /** For `{name}`. */
  readonly name: string;
  readonly format: FileFormat;
  readonly kind: ExportTargetKind;
  /** The target as JSON text, secrets masked. */
  readonly target: string;
  /** The target, sealed. */
  readonly spec: Uint8Array;
  readonly createdAt: number;
}

export interface ExportRow extends NewExport {
  readonly state: ExportState;
  readonly tries: number;
  /** When it is sent (again). */
  readonly nextAt: number;
  /** Of the latest answer; null: there was none. */
  readonly status: number | null;
  readonly error: StoredError | null;
  /** Of the file; null: not known yet. */
  readonly bytes: number | null;
  /** The name of the object, or the URL without query; null: it was not sent yet. */
  readonly sentTo: string | null;
  readonly endedAt: number | null;
}

export interface ClaimedExport extends ExportRow {
  /** Proves the claim. */
  readonly lease: number;
}

/** Limit of an exported file. */
export const MAX_EXPORT_BYTES = 5 * 2 ** 30;
