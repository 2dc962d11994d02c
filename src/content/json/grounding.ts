import { plainDigits, readNumber } from './page-numbers.ts';

const NUMBER = /\d(?:[\d.,'’ \u00a0\u202f]*\d)?/gu;
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?/;
/** Words around the year in which day and month must stand. */
const DATE_WINDOW = 5;
/** A shorter quote stands in any page. */
const MIN_QUOTE = 4;
const MONTH_LANGUAGES = 'en de fr es it pt nl pl sv da fi cs ru uk tr ja'.split(' ');

/** Finds out whether values stand in a text, after white space, digits and separators are normalised. */
export class TextEvidence {
  readonly #text: string;
  readonly #words: readonly string[];
  #numbers: ReadonlySet<number> | null = null;

  constructor(text: string) {
    const normal = normalised(text);
    this.#text = ` ${normal} `;
    this.#words = normal.split(' ');
  }

  hasText(value: string): boolean {
    const words = normalised(value);
    if (words === '') return false;
    return this.#text.includes(SPACELESS.test(words) ? words : ` ${words} `) || this.#hasDate(value);
  }

  /** @param source the text as it is written */
  hasNumber(value: number, source: string): boolean {
    this.#numbers ??= numbersIn(source);
    return this.#numbers.has(Math.abs(value));
  }

  hasQuote(quote: string): boolean {
    return quote.replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_QUOTE && this.hasText(quote);
  }

  /** A date that is written otherwise: year, month and day stand together. */
  #hasDate(value: string): boolean {
    const match = DATE.exec(value);
    if (match === null) return false;
    const [, year, month, day, hour, minute] = match as unknown as readonly string[];
    if (hour !== undefined && !this.#hasTime(Number(hour), minute!)) return false;
    const months = new Set([month!, String(Number(month)), ...monthNames(Number(month))]);
    const days = new RegExp(`^0?${Number(day)}(?:st|nd|rd|th|日)?$`);
    return this.#words.some((word, n) => {
      if (word !== year && word !== `${year}年`) return false;
      const near = this.#words.slice(Math.max(0, n - DATE_WINDOW), n + DATE_WINDOW + 1);
      return near.some((each) => days.test(each)) && near.some((each) => months.has(each));
    });
  }

  #hasTime(hour: number, minute: string): boolean {
    const of12 = `${hour % 12 === 0 ? 12 : hour % 12} ${minute}`;
    const written = [`${hour} ${minute}`, `${String(hour).padStart(2, '0')} ${minute}`, of12];
    return (
      written.some((time) => this.#text.includes(` ${time} `)) ||
      this.#text.includes(`t${String(hour).padStart(2, '0')} ${minute}`)
    );
  }
}

/** Words in lower case, one blank between them. */
function normalised(text: string): string {
  return plainDigits(text.normalize('NFKC'))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

function numbersIn(text: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const [written] of plainDigits(text.normalize('NFKC')).matchAll(NUMBER))
    for (const part of [written, ...written.split(/[\s,]+/)])
      for (const comma of [false, true]) {
        const number = part.length > 40 ? null : readNumber(part, comma);
        if (number !== null) numbers.add(number);
      }
  return numbers;
}

const months = new Map<number, readonly string[]>();

function monthNames(month: number): readonly string[] {
  let names = months.get(month);
  if (names === undefined) {
    const date = new Date(Date.UTC(2000, month - 1, 15));
    names = MONTH_LANGUAGES.flatMap((language) =>
      (['long', 'short'] as const).flatMap((style) => {
        const formats = [{ month: style }, { month: style, day: 'numeric' }] as const;
        return formats.flatMap((options) =>
          new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
            .formatToParts(date)
            .flatMap(({ type, value }) => (type === 'month' ? [normalised(value)] : [])),
        );
      }),
    );
    months.set(month, names);
  }
  return names;
}
