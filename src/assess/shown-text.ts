const LT = 0x3c;
const AND = 0x26;
const SPACE = 0x20;
/** Nearly all that is looked at closely is smaller. */
const ROOM = Buffer.allocUnsafeSlow(16 * 1024);

/** Collects what a page shows, spaces collapsed. One at a time: they share their room. */
export class ShownText {
  /** Bytes up to now. */
  size = 0;
  /** There is a space before what comes next. */
  #gap = false;
  #entities = false;
  readonly #room: Buffer;

  /** @param most so many bytes are all that it can be given */
  constructor(most: number) {
    this.#room = most <= ROOM.length ? ROOM : Buffer.allocUnsafeSlow(most);
  }

  space(): void {
    this.#gap = true;
  }

  /** `<`, where it begins no tag. */
  lessThan(): void {
    if (this.#gap && this.size > 0) this.#room[this.size++] = SPACE;
    this.#gap = false;
    this.#room[this.size++] = LT;
  }

  /** Takes all up to the next `<`; gives its place, or the length of the page. */
  untilTag(bytes: Uint8Array, from: number): number {
    const room = this.#room;
    const { length } = bytes;
    let size = this.size;
    let gap = this.#gap;
    let at = from;
    for (; at < length; at++) {
      const byte = bytes[at]!;
      if (byte === LT) break;
      if (byte === SPACE || (byte <= 0x0d && byte >= 0x09)) {
        gap = true;
        continue;
      }
      if (byte >= 0xc2) {
        const space = spaceAt(bytes, at);
        if (space > 0) {
          gap = true;
          at += space - 1;
          continue;
        }
      } else if (byte === AND) this.#entities = true;
      if (gap) {
        if (size > 0) room[size++] = SPACE;
        gap = false;
      }
      room[size++] = byte;
    }
    this.size = size;
    this.#gap = gap;
    return at;
  }

  taken(): string {
    const text = this.#room.toString('utf8', 0, this.size);
    return this.#entities ? collapsed(text) : text;
  }
}

/** Length in bytes of the space beyond ASCII that begins here; 0: there is none. It is what `\s` takes for one. */
function spaceAt(bytes: Uint8Array, at: number): number {
  const second = bytes[at + 1]!;
  const third = bytes[at + 2]!;
  switch (bytes[at]) {
    case 0xc2:
      return second === 0xa0 ? 2 : 0;
    case 0xe1:
      return second === 0x9a && third === 0x80 ? 3 : 0;
    case 0xe2:
      if (second === 0x81) return third === 0x9f ? 3 : 0;
      return second === 0x80 && (third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf) ? 3 : 0;
    case 0xe3:
      return second === 0x80 && third === 0x80 ? 3 : 0;
    case 0xef:
      return second === 0xbb && third === 0xbf ? 3 : 0;
    default:
      return 0;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  '#160': ' ',
  amp: '&',
  '#39': "'",
  '#x27': "'",
  apos: "'",
  rsquo: '’',
  quot: '"',
  lt: '<',
  gt: '>',
};

export const entities = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(#?\w{2,5});/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    : text;

/** A space alone, which most are, is what it should be. */
const UNTIDY = /\s{2,}|[^\S ]/;
const UNTIDY_ALL = /\s{2,}|[^\S ]/g;

export function collapsed(text: string): string {
  const plain = entities(text);
  return (UNTIDY.test(plain) ? plain.replaceAll(UNTIDY_ALL, ' ') : plain).trim();
}
