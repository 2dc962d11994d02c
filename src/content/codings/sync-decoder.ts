import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync, constants, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import type { Coding } from './content-codings.ts';
import {
  type CodingFraming,
  type CodingProblem,
  corrupt,
  framingOf,
  HEADER_INCOMPLETE,
  missingSignature,
  tooManyMembers,
  truncated,
  ZSTD_OPTIONS,
  zlibProblem,
} from './content-codings.ts';

export interface SyncDecodeResult {
  readonly bytes: Uint8Array;
  readonly problem: CodingProblem | null;
}

interface DecoderRun extends SyncDecodeResult {
  /** Bytes of the input that were used. */
  readonly bytesConsumed: number;
  /** The engine gave up and took its output with it. */
  readonly outputLost: boolean;
}

const EMPTY = new Uint8Array(0);

/**
 * Decodes a small body in one go: for some KiB a call of synchronous zlib costs a tenth of a stream.
 * @param undo outermost coding first
 * @param max most bytes any layer may give
 * @returns null when a layer gives more than `max`; a promise when the data is corrupt, because what can be saved is
 *   then searched for
 */
export function decodeSync(
  undo: readonly Coding[],
  bytes: Uint8Array,
  max: number,
): SyncDecodeResult | Promise<SyncDecodeResult | null> | null {
  let at: SyncDecodeResult = { bytes, problem: null };
  for (const coding of undo) {
    const run = decodeOneCoding(coding, at.bytes, max);
    if (run === null) return null;
    if (run.outputLost) return salvageSync(undo, bytes, max);
    at = at.problem === null ? run : { bytes: run.bytes, problem: at.problem };
  }
  return at;
}

async function salvageSync(
  undo: readonly Coding[],
  bytes: Uint8Array,
  max: number,
): Promise<SyncDecodeResult | null> {
  let at: SyncDecodeResult = { bytes, problem: null };
  for (const coding of undo) {
    let run = decodeOneCoding(coding, at.bytes, max);
    if (run?.outputLost === true) run = await longestValidPrefix(coding, at.bytes, max, run);
    if (run === null) return null;
    at = at.problem === null ? run : { bytes: run.bytes, problem: at.problem };
  }
  return at;
}

/** What the longest beginning that is not corrupt decodes to: the corrupt byte is found by halving. */
async function longestValidPrefix(
  coding: Coding,
  bytes: Uint8Array,
  max: number,
  bad: DecoderRun,
): Promise<DecoderRun | null> {
  let good = 0;
  let wrong = bytes.length;
  let best: DecoderRun = { ...bad, bytes: EMPTY };
  while (wrong - good > 1) {
    await setImmediate();
    const middle = (good + wrong) >>> 1;
    const run = decodeOneCoding(coding, bytes.subarray(0, middle), max);
    if (run === null) return null;
    if (run.outputLost) wrong = middle;
    else {
      good = middle;
      best = run;
    }
  }
  return { ...best, problem: bad.problem, outputLost: false };
}

function decodeOneCoding(coding: Coding, bytes: Uint8Array, max: number): DecoderRun | null {
  if (bytes.length === 0) return { bytes, problem: null, bytesConsumed: 0, outputLost: false };
  const framing = framingOf(coding, bytes);
  const pieces: Uint8Array[] = [];
  let size = 0;
  let at = 0;
  let members = 0;
  const done = (problem: CodingProblem | null, outputLost = false): DecoderRun => ({
    bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size),
    problem,
    bytesConsumed: at,
    outputLost,
  });
  do {
    const rest = bytes.subarray(at);
    const head = framing.headerLength(rest);
    if (head < 0) {
      if (members > 0) break;
      return done(head === HEADER_INCOMPLETE ? truncated(coding) : missingSignature(coding));
    }
    const run = decompressMember(framing, rest.subarray(head), max - size);
    if (run === null) return null;
    if (run.bytes.length > 0) pieces.push(run.bytes);
    size += run.bytes.length;
    if (run.problem !== null) return done(run.problem, run.outputLost);
    at += head + run.bytesConsumed + framing.trailerLength;
    if (at > bytes.length) return done(truncated(coding));
    if (framing.trailerLength > 0) {
      const trailer = bytes.subarray(at - framing.trailerLength, at);
      const wrong = framing.trailerProblem(
        trailer,
        framing.checksum(run.bytes, framing.initialChecksum),
        run.bytes.length,
      );
      if (wrong !== null) return done(corrupt(coding, wrong));
    }
    members++;
    if (tooManyMembers(members, size)) return done(corrupt(coding, 'too many members'));
  } while (framing.multiMember && at < bytes.length);
  return done(null);
}

function decompressMember(framing: CodingFraming, bytes: Uint8Array, max: number): DecoderRun | null {
  try {
    return decompressSync(framing.engine, bytes, max, false);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    const problem = zlibProblem(framing.coding, error);
    if (!problem.truncated) return { bytes: EMPTY, problem, bytesConsumed: 0, outputLost: true };
    try {
      return { ...decompressSync(framing.engine, bytes, max, true), problem };
    } catch {
      return { bytes: EMPTY, problem, bytesConsumed: 0, outputLost: false };
    }
  }
}

/** @param partial give what there is when the data ends too early */
function decompressSync(
  engine: CodingFraming['engine'],
  bytes: Uint8Array,
  max: number,
  partial: boolean,
): DecoderRun {
  // zlib refuses 0; one byte too many is found by the caller's own count.
  const options = { info: true, maxOutputLength: Math.max(1, max) };
  let result: unknown;
  if (engine === 'inflate') {
    result = inflateRawSync(bytes, partial ? { ...options, finishFlush: constants.Z_SYNC_FLUSH } : options);
  } else if (engine === 'br') {
    result = brotliDecompressSync(
      bytes,
      partial ? { ...options, finishFlush: constants.BROTLI_OPERATION_FLUSH } : options,
    );
  } else {
    const params = ZSTD_OPTIONS;
    result = zstdDecompressSync(
      bytes,
      partial ? { ...options, params, finishFlush: constants.ZSTD_e_flush } : { ...options, params },
    );
  }
  const { buffer, engine: used } = result as { buffer: Buffer; engine: { bytesWritten: number } };
  return { bytes: buffer, problem: null, bytesConsumed: used.bytesWritten, outputLost: false };
}
