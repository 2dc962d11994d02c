import { constants } from 'node:zlib';
import type { Coding } from './content-codings.ts';

/** Why a layer did not decode to its end. */
export interface CodingProblem {
  /** The coded bytes ended too early; false: they are wrong. */
  readonly truncated: boolean;
  readonly detail: string;
}

/** The largest window of the zstd content coding (RFC 9659); also what keeps a frame from asking for 2 GiB. */
export const ZSTD_OPTIONS = { [constants.ZSTD_d_windowLogMax]: 23 };

export function truncated(coding: Coding): CodingProblem {
  return { truncated: true, detail: `${coding}: the data ends too early` };
}

export function corrupt(coding: Coding, what: string): CodingProblem {
  return { truncated: false, detail: `${coding}: ${what}` };
}

export function notBegun(coding: Coding): CodingProblem {
  return corrupt(coding, 'the body does not start with its signature');
}

/** An error of node:zlib as a problem of the layer. */
export function engineProblem(coding: Coding, error: unknown): CodingProblem {
  const { code, message } = error as { code?: string; message: string };
  if (code === 'Z_BUF_ERROR') return truncated(coding);
  // Brotli has one message for everything; its code tells more.
  const named = code?.startsWith('ERR__ERROR_') === true ? `corrupt data (${code.slice(11)})` : message;
  return corrupt(coding, named.charAt(0).toLowerCase() + named.slice(1));
}

/** Members that give next to nothing are an attack on the time of the main thread. */
export function tooManyMembers(members: number, size: number): boolean {
  return members > 1000 + size / 4096;
}
