/** Writes blocks one after the other, inside of the quotes, list items and footnotes that are open. */

/** No real page has more levels. Deeper ones are written at this level: each level makes every line longer. */
const MAX_CONTAINERS = 64;

interface Container {
  readonly kind: 'quote' | 'list' | 'item' | 'note';
  /** What its first line begins with, and each further line. */
  readonly first: string;
  readonly rest: string;
  /** Its first line has been written. */
  isBegun: boolean;
  /** Lists: the character after or instead of the number. */
  readonly marker: string;
  /** The marker of the list that was the last block in here. A second list beside it must look different. */
  lastList: string | null;
  /** The last block in here is a paragraph, which a list may follow without a blank line. */
  endsWithParagraph: boolean;
  /** Items: a blank line is inside. Lists: a blank line is in their last item. */
  hasBlankLine: boolean;
  /** Lists: the number of the next item, what is added for each, and the item that was closed last. */
  number: number;
  readonly step: number;
  lastItem: Container | null;
}

const INTERRUPTING = /^(?:[-*]|1[.)]) $/;

export type BlockKind = 'paragraph' | 'other';

export class BlockWriter {
  readonly #maxLength: number;
  readonly #pieces: string[] = [];
  readonly #open: Container[] = [newContainer({ kind: 'quote' })];
  /** Open calls beyond the limit, which are ignored. */
  #ignored = 0;
  length = 0;
  /** Where the text may be cut: in front of blocks and list items that are in nothing else. */
  readonly cuts: number[] = [];

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    this.#open[0]!.isBegun = true;
  }

  get isFull(): boolean {
    return this.length >= this.#maxLength;
  }

  /** What is being written into: an item that has no text yet can become a task. */
  get isInNewItem(): boolean {
    const top = this.#open.at(-1)!;
    return this.#ignored === 0 && top.kind === 'item' && !top.isBegun;
  }

  get isInList(): boolean {
    return this.#ignored === 0 && this.#open.at(-1)!.kind === 'list';
  }

  openQuote(): void {
    this.#push(newContainer({ kind: 'quote', first: '> ', rest: '> ' }));
  }

  /** @param label of a footnote */
  openNote(label: string): void {
    this.#push(newContainer({ kind: 'note', first: `[^${label}]: `, rest: '    ' }));
  }

  /** @param start of a numbered list; null: bullets */
  openList(start: number | null, step = 1): void {
    const [usual, other] = start === null ? ['-', '*'] : ['.', ')'];
    const marker = this.#open.at(-1)!.lastList === usual ? other! : usual!;
    this.#push(newContainer({ kind: 'list', marker, number: start ?? 0, step }));
  }

  /** Opens an item of the list that is open. @param number its own number, if it has one */
  openItem(number: number | null): void {
    const list = this.#open.at(-1)!;
    const { marker } = list;
    if (number !== null) list.number = number;
    const first = marker === '-' || marker === '*' ? `${marker} ` : `${listNumber(list.number)}${marker} `;
    list.number += list.step;
    this.#push(newContainer({ kind: 'item', first, rest: ' '.repeat(first.length) }));
  }

  /** Goes on in the last item of the list that is open, for what stands between its items. */
  reopenItem(): void {
    const { lastItem } = this.#open.at(-1)!;
    if (lastItem === null) this.openItem(null);
    else this.#push(lastItem);
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#open.length + this.#ignored;
  }

  close(): void {
    if (this.#ignored > 0) {
      this.#ignored--;
      return;
    }
    const closed = this.#open.pop()!;
    if (!closed.isBegun) return;
    const outer = this.#open.at(-1)!;
    outer.lastList = closed.kind === 'list' ? closed.marker : null;
    outer.endsWithParagraph = false;
    if (closed.kind === 'item') {
      outer.hasBlankLine = closed.hasBlankLine;
      outer.lastItem = closed;
    }
  }

  /** Writes a block. @param lines without the prefixes of the containers */
  write(kind: BlockKind, lines: readonly string[]): void {
    if (this.isFull) return;
    this.#separate();
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#add('\n');
      const prefix = this.#prefix();
      this.#add(line === '' ? prefix.trimEnd() : prefix + line);
      for (const container of this.#open) container.isBegun = true;
    }
    const top = this.#open.at(-1)!;
    top.lastList = null;
    top.endsWithParagraph = kind === 'paragraph';
  }

  text(): string {
    return this.#pieces.join('');
  }

  #push(container: Container): void {
    const isTooDeep = this.#open.length > MAX_CONTAINERS && container.kind !== 'item';
    if (isTooDeep || this.#ignored > 0) this.#ignored++;
    else this.#open.push(container);
  }

  #prefix(): string {
    let prefix = '';
    for (const { isBegun, first, rest } of this.#open) prefix += isBegun ? rest : first;
    return prefix;
  }

  /** Ends the block before, and begins the line of the next one. */
  #separate(): void {
    if (this.length > 0) {
      this.#add('\n');
      if (!this.#canFollowDirectly()) {
        this.#add(`${this.#begunPrefix().trimEnd()}\n`);
        for (const container of this.#open) if (container.isBegun) container.hasBlankLine = true;
      }
    }
    if (this.#isOutermost()) this.cuts.push(this.length);
  }

  /** An item after a short one, and a list after the paragraph that it belongs to. */
  #canFollowDirectly(): boolean {
    const index = this.#open.findIndex(({ isBegun }) => !isBegun);
    const begins = this.#open[index];
    const outer = this.#open[index - 1];
    if (begins === undefined || outer === undefined) return false;
    if (begins.kind === 'item') return outer.kind === 'list' && !outer.hasBlankLine;
    if (begins.kind !== 'list' || outer.kind !== 'item' || !outer.endsWithParagraph) return false;
    // Only a list that begins with 1 can interrupt a paragraph (CommonMark §5.2).
    return this.#open.every(
      ({ isBegun, kind, first }) => isBegun || kind !== 'item' || INTERRUPTING.test(first),
    );
  }

  #begunPrefix(): string {
    let prefix = '';
    for (const { isBegun, rest } of this.#open) if (isBegun) prefix += rest;
    return prefix;
  }

  #isOutermost(): boolean {
    return this.#open.every(
      ({ kind, isBegun }, index) => index === 0 || !isBegun || (index === 1 && kind === 'list'),
    );
  }

  #add(text: string): void {
    this.#pieces.push(text);
    this.length += text.length;
  }
}

/** CommonMark §5.2: at most nine digits, no sign. */
function listNumber(number: number): number {
  return Math.min(Math.max(number, 0), 999_999_999);
}

function newContainer(members: Partial<Container> & Pick<Container, 'kind'>): Container {
  return {
    first: '',
    rest: '',
    isBegun: false,
    marker: '',
    lastList: null,
    endsWithParagraph: false,
    hasBlankLine: false,
    number: 0,
    step: 1,
    lastItem: null,
    ...members,
  };
}
