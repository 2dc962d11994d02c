import { format, isDateFormat } from 'numfmt';

/** Spreadsheets keep 15 digits; what lies beyond is the rounding of binary fractions, such as 0.30000000000000004. */
const MAX_DIGITS = 15;
/** Formats that stand for the short date of whoever looks (ECMA-376 part 1, §18.8.30: 14 and 22), in ISO 8601 here. */
const READER_DATES: Readonly<Record<string, string>> = {
  'm/d/yy': 'yyyy-mm-dd',
  'm/d/yy h:mm': 'yyyy-mm-dd hh:mm',
};
/** The symbol of a currency with a language: `[$€-407]`. Separators are those of the reader, not of that language. */
const CURRENCY_LANGUAGE = /\[\$([^\]-]*)-[^\]]*\]/g;
const IS_ELAPSED = /\[(?:h+|m+|s+)\]/i;
const IS_GENERAL = /^general$/i;
/** Days between the epochs of the two date systems (§18.17.4.1). */
const DAYS_TO_1904 = 1462;

interface ShownFormat {
  readonly pattern: string;
  readonly isDate: boolean;
}

/** Formats of the cells of a workbook. */
export class SheetFormats {
  readonly #is1904: boolean;
  readonly #hasOwnDates: boolean;
  readonly #formats = new Map<string, ShownFormat>();

  /** @param own formats that the workbook itself defines */
  constructor(is1904: boolean, own: readonly string[]) {
    this.#is1904 = is1904;
    this.#hasOwnDates = own.some((code) => code in READER_DATES);
  }

  /**
   * What a cell shows, with English separators.
   * @param code a number format (§18.8.31); General and none show all digits that a spreadsheet keeps, since their number depends
   * on the width of the column
   */
  shown(value: number | string, code: string | undefined): string {
    if (code === undefined || IS_GENERAL.test(code)) return typeof value === 'string' ? value : plain(value);
    const { pattern, isDate } = this.#format(code);
    if (typeof value === 'string' && !pattern.includes('@')) return value;
    const shift = isDate && this.#is1904 && !IS_ELAPSED.test(pattern) ? DAYS_TO_1904 : 0;
    try {
      const text = format(pattern, typeof value === 'string' ? value : value + shift);
      // Space beside numbers is for columns to line up.
      return typeof value === 'string' ? text : text.trim();
    } catch {
      return typeof value === 'string' ? value : plain(value);
    }
  }

  #format(code: string): ShownFormat {
    const known = this.#formats.get(code);
    if (known !== undefined) return known;
    const isDate = isDateFormat(code);
    const ofReader = this.#hasOwnDates ? undefined : READER_DATES[code];
    const pattern = ofReader ?? (isDate ? code : code.replace(CURRENCY_LANGUAGE, '[$$$1]'));
    const made = { pattern, isDate };
    this.#formats.set(code, made);
    return made;
  }
}

function plain(value: number): string {
  return String(Number(value.toPrecision(MAX_DIGITS))).toUpperCase();
}
