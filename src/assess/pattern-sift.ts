import { neededLiterals } from './needed-literals.ts';

interface Needle {
  readonly letters: Uint8Array;
  readonly pattern: RegExp;
}

const NONE: ReadonlySet<RegExp> = new Set();

/**
 * Tells in one look which of many patterns may fit a text: those of which it holds a literal that they need. It is
 * looked at only every few bytes (Wu and Manber): where no literal holds the two letters that stand there, none ends
 * in the next bytes either.
 */
export class PatternSift {
  readonly #sifted = new Set<RegExp>();
  /** By two letters: how far the next end of a literal is at least; at 0, which of them may end here. */
  readonly #skips = new Uint8Array(PAIRS);
  readonly #ends: (Needle[] | null)[] = Array.from({ length: PAIRS }, () => null);
  readonly #window: number;

  /** @param least patterns that need no literal of that length are not sifted */
  constructor(patterns: Iterable<RegExp>, least: number) {
    const needles: Needle[] = [];
    for (const pattern of new Set(patterns)) {
      const literals = neededLiterals(pattern);
      if (literals.length === 0 || literals.some(({ length }) => length < least)) continue;
      this.#sifted.add(pattern);
      for (const literal of literals) needles.push({ letters: Buffer.from(literal, 'latin1'), pattern });
    }
    this.#window = Math.min(255, ...needles.map(({ letters }) => letters.length));
    this.#skips.fill(this.#window - 1);
    for (const needle of needles) this.#add(needle);
  }

  #add(needle: Needle): void {
    const { letters } = needle;
    // The end of a literal is what tells it from others.
    for (let back = 0; back <= this.#window - 2; back++) {
      const at = letters.length - 1 - back;
      const pair = pairOf(letters[at - 1]!, letters[at]!);
      this.#skips[pair] = Math.min(this.#skips[pair]!, back);
    }
    const pair = pairOf(letters[letters.length - 2]!, letters[letters.length - 1]!);
    this.#ends[pair] = [...(this.#ends[pair] ?? []), needle];
  }

  /** Whether it is told of this pattern. */
  sifts(pattern: RegExp): boolean {
    return this.#sifted.has(pattern);
  }

  /** The patterns that may fit, of those that are sifted. @param bytes letters of ASCII as they are, others as they like */
  mayFit(bytes: Uint8Array, length: number): ReadonlySet<RegExp> {
    const skips = this.#skips;
    let found: Set<RegExp> | null = null;
    for (let at = this.#window - 1; at < length; ) {
      const pair = pairOf(bytes[at - 1]!, bytes[at]!);
      const skip = skips[pair]!;
      if (skip > 0) {
        at += skip;
        continue;
      }
      for (const { letters, pattern } of this.#ends[pair]!)
        if (endsAt(bytes, letters, at)) {
          found ??= new Set();
          found.add(pattern);
        }
      at++;
    }
    return found ?? NONE;
  }
}

/** Five bits of each letter: capitals are as small ones, and what else is taken for the same is told apart afterwards. */
const PAIRS = 1024;
const pairOf = (first: number, second: number): number => ((first & 31) << 5) | (second & 31);

function endsAt(bytes: Uint8Array, letters: Uint8Array, at: number): boolean {
  const from = at + 1 - letters.length;
  if (from < 0) return false;
  for (let n = letters.length - 1; n >= 0; n--) {
    const byte = bytes[from + n]!;
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== letters[n]) return false;
  }
  return true;
}
