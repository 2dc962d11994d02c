import type { Accounts } from '../account/accounts.ts';
import type { Clock } from '../base/time.ts';
import { deadlineUnder, SHUTDOWN } from '../base/time.ts';
import { orTimeout, sleep } from '../base/wait.ts';
import {
  type ClaimedExport,
  EXPORT_TYPES,
  type ExportTarget,
  type FileFormat,
  MAX_EXPORT_BYTES,
} from '../domain/exports.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { ExportAnswer, ExportFile, ExportSender, ExportSpool, ExportStore } from '../ports/exports.ts';
import type { JobStore } from '../ports/jobs.ts';
import { signedFileHeaders } from '../webhooks/signature.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { openExportTarget } from './export-target.ts';
import { filledName, type NameParts } from './object-name.ts';

export interface ExporterDeps {
  readonly exports: ExportStore;
  readonly jobs: Pick<JobStore, 'get'>;
  readonly accounts: Pick<Accounts, 'currentJobPrincipal'>;
  readonly webhooks: Pick<Webhooks, 'secrets'>;
  readonly sender: Pick<ExportSender, 'upload' | 'putObject'>;
  readonly spool: ExportSpool;
  /** The results of a job as a file. Ends early when `signal` aborts. */
  readonly fileOf: (
    jobId: string,
    format: FileFormat,
    signal: AbortSignal,
  ) => AsyncIterable<string | Uint8Array>;
  readonly sealer: Sealer;
  readonly userAgent: string;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

/** Sends the exports that are due. */
export interface Exporter {
  /** Sends nothing more; waits for those under way, at most `ms`. */
  stop(ms: number): Promise<void>;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after the first try, the second, and so on; after the last one the export is given up (contract §25). */
const EXPORT_PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
];
const JITTER = 0.1;
const TICK_MS = 500;
const AT_ONCE = 4;
/** Of one user, over all services: a slow target may take hours. */
const PER_USER = 2;
const LEASE_MS = 60 * SECOND_MS;
const RENEW_MS = 20 * SECOND_MS;
/** A try, with the writing of the file. */
const TRY_MS = 6 * HOUR_MS;
const KEPT_MS = 120 * 24 * HOUR_MS;
const SWEEP_MS = HOUR_MS;

export function startExporter(deps: ExporterDeps): Exporter {
  const stopping = new AbortController();
  const stopped = new AbortController();
  const loop = async () => {
    do {
      const more = await sendNext(deps, stopped.signal).catch((error: unknown) => {
        deps.onError(error);
        return false;
      });
      if (more) continue;
      if (!(await sleep(TICK_MS, stopping.signal))) return;
    } while (!stopping.signal.aborted);
  };
  const sweep = async () => {
    do await deps.exports.sweep(deps.clock.now() - KEPT_MS).catch(deps.onError);
    while (await sleep(SWEEP_MS, stopping.signal));
  };
  const loops = [...Array.from({ length: AT_ONCE }, loop), sweep()];
  return {
    async stop(ms) {
      stopping.abort();
      await orTimeout(Promise.allSettled(loops), ms, undefined);
      stopped.abort(SHUTDOWN);
      await Promise.allSettled(loops);
    },
  };
}

/** @returns whether there was one that is due */
async function sendNext(deps: ExporterDeps, signal: AbortSignal): Promise<boolean> {
  const { exports, clock, random } = deps;
  const claimed = await exports.claim(clock.now(), clock.now() + LEASE_MS, PER_USER);
  if (claimed === null) return false;
  const lost = new AbortController();
  const renewing = setInterval(() => {
    exports.renew(claimed, clock.now() + LEASE_MS).then(
      (isHeld) => isHeld || lost.abort(),
      () => lost.abort(),
    );
  }, RENEW_MS);
  try {
    using deadline = deadlineUnder(TRY_MS, AbortSignal.any([signal, lost.signal]));
    const found = await sendOnce(deps, claimed, deadline.signal);
    // Who takes over sends it again.
    if (signal.aborted || lost.signal.aborted) return false;
    const pause = found.isFinal ? undefined : EXPORT_PAUSES_MS[claimed.tries - 1];
    const state = found.error === null ? 'done' : pause === undefined ? 'failed' : 'pending';
    const now = clock.now();
    const nextAt = Math.round(now + (pause ?? 0) * (1 + JITTER * random()));
    await exports.end(claimed, {
      state,
      nextAt,
      status: found.status,
      error: found.error && { code: found.error.code, message: found.error.message },
      bytes: found.bytes,
      sentTo: found.sentTo,
      now,
    });
    return true;
  } finally {
    clearInterval(renewing);
  }
}

interface Sent {
  readonly status: number | null;
  /** null: the target has taken the file. */
  readonly error: Failure | null;
  /** Another try would not change it. */
  readonly isFinal: boolean;
  readonly bytes: number | null;
  readonly sentTo: string | null;
}

const failed = (error: Failure, more: Partial<Sent> = {}): Sent => ({
  status: null,
  error,
  isFinal: FINAL_CODES.includes(error.code),
  bytes: null,
  sentTo: null,
  ...more,
});

/** Others, such as a name server that does not answer, may pass. */
const FINAL_CODES: readonly string[] = ['policy.address', 'request.not_found'];
/** Statuses of 4xx that may pass. */
const PASSING = [408, 409, 423, 425, 429];

async function sendOnce(deps: ExporterDeps, claimed: ClaimedExport, signal: AbortSignal): Promise<Sent> {
  const { jobs, sealer, spool, fileOf, accounts } = deps;
  const { id, jobId, userId, format, runN } = claimed;
  if (typeof (await accounts.currentJobPrincipal(userId, null)) === 'string')
    return failed(failure('auth.disabled', 'The user of the export was disabled.'), { isFinal: true });
  const job = await jobs.get(jobId, null);
  if (job === null) return failed(failure('request.not_found', 'The job was deleted.'));
  const target = openExportTarget(claimed, sealer);
  const parts = { at: claimed.createdAt, name: claimed.name, run: runN === null ? jobId : String(runN) };
  const sent = await spool.withFile(
    id,
    EXPORT_TYPES[format],
    fileOf(jobId, format, signal),
    MAX_EXPORT_BYTES,
    (file) =>
      signal.aborted ? Promise.resolve(failed(LATE)) : sendFile(deps, claimed, target, parts, file, signal),
  );
  return sent === 'too_large' ? failed(TOO_LARGE, { isFinal: true }) : sent;
}

const LATE = failure('timeout.total', 'The file could not be made in time.');
const TOO_LARGE = failure('export.failed', 'The file has more than 5 GiB.');

async function sendFile(
  { sender, webhooks, userAgent, clock }: ExporterDeps,
  { id, userId }: ClaimedExport,
  target: ExportTarget,
  parts: NameParts,
  file: ExportFile,
  signal: AbortSignal,
): Promise<Sent> {
  const common = { bytes: file.bytes };
  if (target.kind === 'link') throw new TypeError('a link is nothing to send');
  if (target.kind === 's3') {
    const key = filledName(target.key, parts);
    return sentOf(await sender.putObject(target, key, file, signal), { ...common, sentTo: key });
  }
  const url = new URL(filledName(target.url, parts));
  const isWebhook = target.kind === 'webhook';
  const { secret, previous } = isWebhook ? await webhooks.secrets(userId) : { secret: '', previous: null };
  const secrets = previous === null ? [secret] : [secret, previous];
  const signed = isWebhook ? await signedFileHeaders(`exp_${id}`, clock.now(), file.read(), secrets) : [];
  const headers = [['user-agent', userAgent] as const, ...Object.entries(target.headers), ...signed];
  const method = isWebhook ? 'POST' : 'PUT';
  const answer = await sender.upload({ method, url, headers, file }, signal);
  return sentOf(answer, { ...common, sentTo: `${url.origin}${url.pathname}` });
}

function sentOf(answer: ExportAnswer | Failure | null, more: Pick<Sent, 'bytes' | 'sentTo'>): Sent {
  if (answer === null) return { status: 200, error: null, isFinal: false, ...more };
  if (isFailure(answer)) return failed(answer, more);
  const { status, text } = answer;
  if (status >= 200 && status < 300) return { status, error: null, isFinal: false, ...more };
  const isRedirect = status >= 300 && status < 400;
  const why = isRedirect ? ' Redirects are not followed.' : text === '' ? '' : ` It said: ${oneLine(text)}`;
  return {
    status,
    error: failure('export.failed', `The target answered with ${status}.${why}`),
    isFinal: isRedirect || (status >= 400 && status < 500 && !PASSING.includes(status)),
    ...more,
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300);
