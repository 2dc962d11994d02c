import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync, constants, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { type Framing, framingOf, HEAD_MORE } from './coding-framing.ts';
import {
  type CodingProblem,
  corrupt,
  engineProblem,
  notBegun,
  tooManyMembers,
  truncated,
  ZSTD_OPTIONS,
} from './coding-problem.ts';
import type { Coding } from './content-codings.ts';

export interface SmallResult {
  readonly bytes: Uint8Array;
  readonly problem: CodingProblem | null;
}

interface Run extends SmallResult {
  /** Bytes of the input that were used. */
  readonly taken: number;
  /** The engine gave up and took its output with it. */
  readonly lost: boolean;
}

const EMPTY = new Uint8Array(0);

/**
 * Decodes a small body in one go: for some KiB a call of synchronous zlib costs a tenth of a stream.
 * @param undo outermost coding first
 * @param max most bytes any layer may give
 * @returns null when a layer gives more than `max`; a promise when the data is corrupt, because what can be saved is
 *   then searched for
 */
export function decodeSmall(
  undo: readonly Coding[],
  bytes: Uint8Array,
  max: number,
): SmallResult | Promise<SmallResult | null> | null {
  let at: SmallResult = { bytes, problem: null };
  for (const coding of undo) {
    const run = decodeLayer(coding, at.bytes, max);
    if (run === null) return null;
    if (run.lost) return saveSmall(undo, bytes, max);
    at = at.problem === null ? run : { bytes: run.bytes, problem: at.problem };
  }
  return at;
}

async function saveSmall(
  undo: readonly Coding[],
  bytes: Uint8Array,
  max: number,
): Promise<SmallResult | null> {
  let at: SmallResult = { bytes, problem: null };
  for (const coding of undo) {
    let run = decodeLayer(coding, at.bytes, max);
    if (run?.lost === true) run = await longestGood(coding, at.bytes, max, run);
    if (run === null) return null;
    at = at.problem === null ? run : { bytes: run.bytes, problem: at.problem };
  }
  return at;
}

/** What the longest beginning that is not corrupt decodes to: the corrupt byte is found by halving. */
async function longestGood(coding: Coding, bytes: Uint8Array, max: number, bad: Run): Promise<Run | null> {
  let good = 0;
  let wrong = bytes.length;
  let best: Run = { ...bad, bytes: EMPTY };
  while (wrong - good > 1) {
    await setImmediate();
    const middle = (good + wrong) >>> 1;
    const run = decodeLayer(coding, bytes.subarray(0, middle), max);
    if (run === null) return null;
    if (run.lost) wrong = middle;
    else {
      good = middle;
      best = run;
    }
  }
  return { ...best, problem: bad.problem, lost: false };
}

function decodeLayer(coding: Coding, bytes: Uint8Array, max: number): Run | null {
  if (bytes.length === 0) return { bytes, problem: null, taken: 0, lost: false };
  const framing = framingOf(coding, bytes);
  const pieces: Uint8Array[] = [];
  let size = 0;
  let at = 0;
  let members = 0;
  const done = (problem: CodingProblem | null, lost = false): Run => ({
    bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size),
    problem,
    taken: at,
    lost,
  });
  do {
    const rest = bytes.subarray(at);
    const head = framing.head(rest);
    if (head < 0) {
      if (members > 0) break;
      return done(head === HEAD_MORE ? truncated(coding) : notBegun(coding));
    }
    const run = runEngine(framing, rest.subarray(head), max - size);
    if (run === null) return null;
    if (run.bytes.length > 0) pieces.push(run.bytes);
    size += run.bytes.length;
    if (run.problem !== null) return done(run.problem, run.lost);
    at += head + run.taken + framing.trailerLength;
    if (at > bytes.length) return done(truncated(coding));
    if (framing.trailerLength > 0) {
      const trailer = bytes.subarray(at - framing.trailerLength, at);
      const wrong = framing.trailerProblem(trailer, framing.sum(run.bytes, framing.sum0), run.bytes.length);
      if (wrong !== null) return done(corrupt(coding, wrong));
    }
    members++;
    if (tooManyMembers(members, size)) return done(corrupt(coding, 'too many members'));
  } while (framing.many && at < bytes.length);
  return done(null);
}

function runEngine(framing: Framing, bytes: Uint8Array, max: number): Run | null {
  try {
    return unpack(framing.engine, bytes, max, false);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    const problem = engineProblem(framing.coding, error);
    if (!problem.truncated) return { bytes: EMPTY, problem, taken: 0, lost: true };
    try {
      return { ...unpack(framing.engine, bytes, max, true), problem };
    } catch {
      return { bytes: EMPTY, problem, taken: 0, lost: false };
    }
  }
}

/** @param partial give what there is when the data ends too early */
function unpack(engine: Framing['engine'], bytes: Uint8Array, max: number, partial: boolean): Run {
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
  return { bytes: buffer, problem: null, taken: used.bytesWritten, lost: false };
}
