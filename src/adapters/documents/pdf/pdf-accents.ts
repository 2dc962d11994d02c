/** An item as it is read: turned so that it runs to the right. */
export interface TurnedItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly endsLine: boolean;
}

/** Accents that TeX draws over or below a letter, and the characters that combine with one instead. */
const COMBINING: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
};
const BELOW: ReadonlySet<string> = new Set('¸˛');
/** Letters that have no dot of their own below an accent. */
const DOTTED: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };
/** An accent and its letter overlap by so many font sizes; an apostrophe and the next letter do not. */
const MIN_OVERLAP = 0.25;
const MAX_OVERLAP = 1;
/** Accents of capitals are raised by up to so many font sizes. */
const MAX_RISE = 0.5;
/** Below this, the baselines are the same. */
const LEVEL = 0.1;

/**
 * Joins accents with their letters: `versi´` and, drawn below the accent, `on` are `versió` and `n`. A cedilla may also follow its
 * letter: `franc` and `¸ais`.
 */
export function joinAccents(items: readonly TurnedItem[]): TurnedItem[] {
  const joined: TurnedItem[] = [];
  for (const item of items) {
    const before = joined.at(-1);
    const texts = before === undefined ? null : accentedTexts(before, item);
    if (before === undefined || texts === null) {
      joined.push(item);
      continue;
    }
    joined.pop();
    const [first, second] = texts;
    const end = first.length < before.text.length ? item.x : before.x + before.width;
    if (first !== '') joined.push({ ...before, text: first, width: Math.max(0, end - before.x) });
    const x = Math.max(item.x, end);
    if (second !== '') joined.push({ ...item, text: second, x, width: item.x + item.width - x });
  }
  return joined;
}

/** The texts of two items, of which one has an accent for a letter of the other; null: they have not. */
function accentedTexts(before: TurnedItem, { text, x, y, size }: TurnedItem): [string, string] | null {
  const last = before.text.at(-1) ?? '';
  const [first = ''] = text;
  if (before.endsLine || (COMBINING[last] === undefined && !BELOW.has(first))) return null;
  const overlap = (before.x + before.width - x) / size;
  const rise = (before.y - y) / size;
  if (overlap < MIN_OVERLAP || overlap > MAX_OVERLAP || rise < -LEVEL || rise > MAX_RISE) return null;
  const isBefore = COMBINING[last] !== undefined;
  const letter = isBefore ? accented(first, last) : accented(last, first);
  if (letter === null) return null;
  const [head, tail] = [before.text.slice(0, -1), text.slice(first.length)];
  return isBefore ? [head, letter + tail] : [head + letter, tail];
}

/** The letter with the accent, which has a character of its own in all languages that use it; null: there is none. */
function accented(letter: string, accent: string): string | null {
  const composed = `${DOTTED[letter] ?? letter}${COMBINING[accent]}`.normalize();
  return composed.length === 1 ? composed : null;
}
