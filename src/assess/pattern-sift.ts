import { neededLiterals } from './needed-literals.ts';

/** Where three letters stand in a literal. */
interface Spot {
  readonly letters: Uint8Array;
  readonly offset: number;
  readonly pattern: RegExp;
}

const NONE: ReadonlySet<RegExp> = new Set();
/** Letters that are looked at together, five bits of each: capitals are as small ones, and some signs as letters. */
const TOGETHER = 3;
const keyOf = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! & 31) << 10) | ((bytes[at + 1]! & 31) << 5) | (bytes[at + 2]! & 31);

/**
 * Tells in one look which of many patterns may fit a text: those of which it holds a literal that they need. In a literal
 * of eight letters there are six places where three letters begin, so one of them is a multiple of six, wherever in the
 * text the literal stands: three letters in six are looked at, and nearly all of them stand in no literal.
 */
export class PatternSift {
  readonly #sifted = new Set<RegExp>();
  /** A bit for each three letters: small, so that it stays where the processor has it at hand. */
  readonly #seen = new Int32Array(2 ** (5 * TOGETHER) / 32);
  readonly #spots = new Map<number, Spot[]>();
  readonly #step: number;

  /** @param least patterns that need no literal of that many bytes are not sifted */
  constructor(patterns: Iterable<RegExp>, least: number) {
    this.#step = least - TOGETHER + 1;
    for (const pattern of new Set(patterns)) {
      const literals = neededLiterals(pattern);
      if (literals.length === 0 || literals.some((one) => Buffer.byteLength(one) < least)) continue;
      this.#sifted.add(pattern);
      for (const literal of literals) this.#add(Buffer.from(literal), pattern);
    }
  }

  #add(letters: Uint8Array, pattern: RegExp): void {
    // The end of a literal tells it better from others than its beginning.
    const last = letters.length - TOGETHER;
    for (let offset = last; offset > last - this.#step; offset--) {
      const key = keyOf(letters, offset);
      this.#seen[key >> 5]! |= 1 << (key & 31);
      this.#spots.set(key, [...(this.#spots.get(key) ?? []), { letters, offset, pattern }]);
    }
  }

  /** Whether it is told of this pattern. */
  sifts(pattern: RegExp): boolean {
    return this.#sifted.has(pattern);
  }

  /** The patterns that may fit, of those that are sifted. @param bytes UTF-8; letters beyond ASCII are small ones */
  mayFit(bytes: Uint8Array, length: number): ReadonlySet<RegExp> {
    const seen = this.#seen;
    const step = this.#step;
    const end = length - TOGETHER;
    let found: Set<RegExp> | null = null;
    for (let at = 0; at <= end; at += step) {
      const key = keyOf(bytes, at);
      if ((seen[key >> 5]! & (1 << (key & 31))) === 0) continue;
      for (const { letters, offset, pattern } of this.#spots.get(key)!) {
        if (!standsAt(bytes, length, letters, at - offset)) continue;
        found ??= new Set();
        found.add(pattern);
      }
    }
    return found ?? NONE;
  }
}

function standsAt(bytes: Uint8Array, length: number, letters: Uint8Array, from: number): boolean {
  if (from < 0 || from + letters.length > length) return false;
  for (let n = 0; n < letters.length; n++) {
    const byte = bytes[from + n]!;
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== letters[n]) return false;
  }
  return true;
}
