/** Letters that stand for themselves; in a pattern, after a backslash or without one. */
const LITERAL = /^[\x20-\x7e\xa1-\ud7ff]$/;
const ESCAPED_LITERAL = /^[^\w\s]$/;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

/**
 * Literals of which a text holds at least one, in capitals or not, wherever `pattern` fits it: [] when none can be told.
 * Of each alternative the longest part that cannot be left out. So what holds none need not be looked at with the
 * pattern. Groups that look ahead or behind count as unknown.
 */
export function requiredLiterals({ source, flags }: RegExp): readonly string[] {
  // Other escapes than these are written with letters that would be taken for literals.
  const odd = /\\(?![bBdDsSwW]|[^\w\s])/.test(source) || /[uvx]/.test(flags);
  return odd ? [] : (alternatives({ source, at: 0 }) ?? []);
}

interface PatternReader {
  readonly source: string;
  at: number;
}

type Literals = readonly string[];

const shortest = (literals: Literals): number => Math.min(...literals.map(({ length }) => length));

/** Up to the end of the group or of the pattern; null: one of them tells nothing. */
function alternatives(reader: PatternReader): Literals | null {
  const all: (Literals | null)[] = [];
  do all.push(sequence(reader));
  while (reader.source[reader.at++] === '|');
  reader.at--;
  return all.includes(null) ? null : all.flatMap((one) => one!);
}

/** What has to stand in one alternative. */
function sequence(reader: PatternReader): Literals | null {
  const parts: Literals[] = [];
  let run = '';
  const ends = () => {
    if (run !== '') parts.push([run]);
    run = '';
  };
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at]!)) {
    const one = atom(reader);
    const optional = quantified(reader);
    if (one === '') continue;
    if (typeof one === 'string' && !optional) run += one.toLowerCase();
    else {
      ends();
      if (typeof one !== 'string' && one !== null && !optional) parts.push(one);
    }
  }
  ends();
  return parts.length === 0
    ? null
    : parts.reduce((best, one) => (shortest(one) > shortest(best) ? one : best));
}

/** A letter; '' for what takes no place; the literals of a group; null for anything else. */
function atom(reader: PatternReader): string | Literals | null {
  const { source } = reader;
  const first = source[reader.at++]!;
  if (first === '^' || first === '$') return '';
  if (first === '[') return skipClass(reader);
  if (first === '(') return group(reader);
  if (first !== '\\') return first !== '.' && LITERAL.test(first) ? first : null;
  const escaped = source[reader.at++]!;
  if (escaped === 'b') return '';
  return ESCAPED_LITERAL.test(escaped) && LITERAL.test(escaped) ? escaped : null;
}

function skipClass(reader: PatternReader): null {
  for (; reader.source[reader.at] !== ']'; reader.at++) if (reader.source[reader.at] === '\\') reader.at++;
  reader.at++;
  return null;
}

function group(reader: PatternReader): Literals | null {
  const { source } = reader;
  const known = source.startsWith('?:', reader.at);
  const told = known || source[reader.at] !== '?';
  if (known) reader.at += 2;
  else if (!told) reader.at += 2 + Number(source[reader.at + 1] === '<');
  const inside = alternatives(reader);
  reader.at++;
  return told ? inside : null;
}

/** Passes over a quantifier; whether there is one. */
function quantified(reader: PatternReader): boolean {
  QUANTIFIER.lastIndex = reader.at;
  if (!QUANTIFIER.test(reader.source)) return false;
  reader.at = QUANTIFIER.lastIndex;
  return true;
}

/** Where three letters stand in a literal. */
interface TrigramPosition {
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
export class PatternPrefilter {
  readonly #sifted = new Set<RegExp>();
  /** A bit for each three letters: small, so that it stays where the processor has it at hand. */
  readonly #seen = new Int32Array(2 ** (5 * TOGETHER) / 32);
  readonly #spots = new Map<number, TrigramPosition[]>();
  readonly #step: number;

  /** @param least patterns that need no literal of that many bytes are not sifted */
  constructor(patterns: Iterable<RegExp>, least: number) {
    this.#step = least - TOGETHER + 1;
    for (const pattern of new Set(patterns)) {
      const literals = requiredLiterals(pattern);
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
  covers(pattern: RegExp): boolean {
    return this.#sifted.has(pattern);
  }

  /** The patterns that may fit, of those that are sifted. @param bytes UTF-8; letters beyond ASCII are small ones */
  candidates(bytes: Uint8Array, length: number): ReadonlySet<RegExp> {
    const seen = this.#seen;
    const step = this.#step;
    const end = length - TOGETHER;
    let found: Set<RegExp> | null = null;
    for (let at = 0; at <= end; at += step) {
      const key = keyOf(bytes, at);
      if ((seen[key >> 5]! & (1 << (key & 31))) === 0) continue;
      for (const { letters, offset, pattern } of this.#spots.get(key)!) {
        if (!matchesLettersAt(bytes, length, letters, at - offset)) continue;
        found ??= new Set();
        found.add(pattern);
      }
    }
    return found ?? NONE;
  }
}

function matchesLettersAt(bytes: Uint8Array, length: number, letters: Uint8Array, from: number): boolean {
  if (from < 0 || from + letters.length > length) return false;
  for (let n = 0; n < letters.length; n++) {
    const byte = bytes[from + n]!;
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== letters[n]) return false;
  }
  return true;
}

/** A call of the machine's own search costs as much as so many bytes that are looked at here. */
const NEAR = 200;

/** What is looked for: one or more letters of ASCII. */
interface BytePattern {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export const bytePattern = (text: string): BytePattern => ({ text, bytes: Buffer.from(text, 'latin1') });

/**
 * Where `mark` comes next; the length of the bytes when it does not. By hand as long as it may be near, so that a page
 * full of marks costs no more a byte than others.
 */
export function findBytes(bytes: Uint8Array, mark: BytePattern, from: number): number {
  const { length } = bytes;
  const near = Math.min(length, from + NEAR);
  const first = mark.bytes[0]!;
  for (let at = from; at < near; at++)
    if (bytes[at] === first && matchesBytesAt(bytes, mark.bytes, at)) return at;
  if (near >= length) return length;
  // Takes any view of bytes.
  const found: number = Buffer.prototype.indexOf.call(bytes, mark.text, near, 'latin1');
  return found === -1 ? length : found;
}

function matchesBytesAt(bytes: Uint8Array, mark: Uint8Array, at: number): boolean {
  for (let n = 1; n < mark.length; n++) if (bytes[at + n] !== mark[n]) return false;
  return true;
}

/** Elements whose inside is not shown as text, and in which tags are not tags (or not of this document). */
const RAW_NAMES: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'title',
  'textarea',
  'object',
  'math',
]);

/** @param letters lower-case; of the page they may be capitals */
export function matchesName(bytes: Uint8Array, letters: Uint8Array, at: number): boolean {
  for (let n = 0; n < letters.length; n++) if ((bytes[at + n]! | 0x20) !== letters[n]) return false;
  return true;
}

/** What the name of an element tells of it. */
export interface HtmlTag {
  /** Lower-case; '' for all elements that mean nothing here. */
  readonly name: string;
  /** The name in bytes. */
  readonly letters: Uint8Array;
  readonly length: number;
  /** Its inside is not shown as text, and tags in it are not tags. */
  readonly raw: boolean;
  /** Of SVG or MathML: a slash at the end of its tag closes it. */
  readonly foreign: boolean;
  /** It stands within a word or a sentence. */
  readonly inline: boolean;
  /** A paragraph, list item, cell, heading. */
  readonly block: boolean;
  /** A picture, film, frame, drawing. */
  readonly media: boolean;
  /** Scripts put the page into it. */
  readonly mount: boolean;
}

const FOREIGN = wordSet('svg math');
const INLINE = wordSet('b i em strong span a u s small sup sub code font wbr');
const BLOCKS = wordSet('p li td dd h1 h2 h3 h4 article section pre blockquote');
const MEDIA = wordSet('img video audio canvas picture embed frame svg iframe object');
const MOUNTS = wordSet('app-root my-app app-main');
const FIELDS = wordSet('input select textarea meta body');

const describeTag = (name: string): HtmlTag => ({
  name,
  letters: Buffer.from(name, 'latin1'),
  length: name.length,
  raw: RAW_NAMES.has(name),
  foreign: FOREIGN.has(name),
  inline: INLINE.has(name),
  block: BLOCKS.has(name),
  media: MEDIA.has(name),
  mount: MOUNTS.has(name),
});

const OTHER_TAG = describeTag('');

/** One look tells all that is known of a name. */
const TAGS: ReadonlyMap<string, HtmlTag> = new Map(
  [...RAW_NAMES, ...INLINE, ...BLOCKS, ...MEDIA, ...MOUNTS, ...FIELDS].map((name) => [
    name,
    describeTag(name),
  ]),
);
const LONGEST_NAME = Math.max(...[...TAGS.keys()].map(({ length }) => length));

/** As many letters as a number holds: those at the end of the name. */
const PACKED = 4;
const packed = (sum: number, letter: number): number => (sum << 8) | letter;

/** The same by the letters as a number, so that no string is made of each name; where two meet the next place is taken. */
const TAG_SLOTS = Array.from({ length: 256 }, (): { tag: HtmlTag; letters: number } | null => null);
const LAST_SLOT = TAG_SLOTS.length - 1;
const slotOf = (letters: number): number => Math.imul(letters, 0x9e3779b1) >>> 24;
for (const tag of TAGS.values()) {
  const letters = tag.letters.reduce(packed, 0);
  let place = slotOf(letters);
  while (TAG_SLOTS[place] !== null) place = (place + 1) & LAST_SLOT;
  TAG_SLOTS[place] = { tag, letters };
}

export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** The tag whose name begins at `at`, in letters of either case. It ends where HTML §13.2.5.8 says: `svg-icon` is not `svg`. */
export function tagAt(bytes: Uint8Array, at: number): HtmlTag {
  const most = Math.min(bytes.length, at + LONGEST_NAME + 1);
  if (at >= most || !isLetter(bytes[at]!)) return OTHER_TAG;
  let letters = 0;
  let end = at;
  for (; end < most; end++) {
    const byte = bytes[end]!;
    if (byte <= 0x20 || byte === 0x2f || byte === 0x3e) break;
    letters = packed(letters, byte | 0x20);
  }
  const length = end - at;
  for (let place = slotOf(letters); ; place = (place + 1) & LAST_SLOT) {
    const known = TAG_SLOTS[place]!;
    if (known === null) return OTHER_TAG;
    const { tag } = known;
    if (known.letters !== letters || tag.length !== length) continue;
    if (length <= PACKED || matchesName(bytes, tag.letters, at)) return tag;
  }
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
