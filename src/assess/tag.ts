import { named, RAW_NAMES } from './element-name.ts';

/** What the name of an element tells of it. */
export interface Tag {
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

const FOREIGN = words('svg math');
const INLINE = words('b i em strong span a u s small sup sub code font wbr');
const BLOCKS = words('p li td dd h1 h2 h3 h4 article section pre blockquote');
const MEDIA = words('img video audio canvas picture embed frame svg iframe object');
const MOUNTS = words('app-root my-app app-main');
const FIELDS = words('input select textarea meta body');

const about = (name: string): Tag => ({
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

const OTHER = about('');

/** One look tells all that is known of a name. */
const TAGS: ReadonlyMap<string, Tag> = new Map(
  [...RAW_NAMES, ...INLINE, ...BLOCKS, ...MEDIA, ...MOUNTS, ...FIELDS].map((name) => [name, about(name)]),
);
const LONGEST_NAME = Math.max(...[...TAGS.keys()].map(({ length }) => length));

/** As many letters as a number holds: those at the end of the name. */
const PACKED = 4;
const packed = (sum: number, letter: number): number => (sum << 8) | letter;

/** The same by the letters as a number, so that no string is made of each name; where two meet the next place is taken. */
const PLACES = Array.from({ length: 256 }, (): { tag: Tag; letters: number } | null => null);
const LAST_PLACE = PLACES.length - 1;
const placeOf = (letters: number): number => Math.imul(letters, 0x9e3779b1) >>> 24;
for (const tag of TAGS.values()) {
  const letters = tag.letters.reduce(packed, 0);
  let place = placeOf(letters);
  while (PLACES[place] !== null) place = (place + 1) & LAST_PLACE;
  PLACES[place] = { tag, letters };
}

export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** The tag whose name begins at `at`, in letters of either case. It ends where HTML §13.2.5.8 says: `svg-icon` is not `svg`. */
export function tagAt(bytes: Uint8Array, at: number): Tag {
  const most = Math.min(bytes.length, at + LONGEST_NAME + 1);
  if (at >= most || !isLetter(bytes[at]!)) return OTHER;
  let letters = 0;
  let end = at;
  for (; end < most; end++) {
    const byte = bytes[end]!;
    if (byte <= 0x20 || byte === 0x2f || byte === 0x3e) break;
    letters = packed(letters, byte | 0x20);
  }
  const length = end - at;
  for (let place = placeOf(letters); ; place = (place + 1) & LAST_PLACE) {
    const known = PLACES[place]!;
    if (known === null) return OTHER;
    const { tag } = known;
    if (known.letters !== letters || tag.length !== length) continue;
    if (length <= PACKED || named(bytes, tag.letters, at)) return tag;
  }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
