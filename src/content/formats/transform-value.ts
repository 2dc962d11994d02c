import { rfc3339DateOrDay } from '../../base/rfc3339-date.ts';
import type { ExtractTransform } from '../../domain/page-action.ts';
import { attributeOf } from '../document/page-tree.ts';
import { absoluteUrl, type ParsedPage, rootElement } from '../document/parsed-page.ts';

/**
 * A number in a text: digits with separators between them. Spaces and apostrophes only separate groups of three, so that
 * two numbers beside each other stay two.
 */
const NUMBER =
  /(?<sign>(?<![\p{L}\d])[-−]\s?\p{Sc}?\s?)?(?<digits>\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3}(?!\d))+(?:[.,]\d+)?|\d+(?:[.,]\d+)*|(?<![\p{L}\d])[.,]\d+)/u;
const GROUP_SEPARATORS = /[ \u00a0\u202f\u2009'’]/g;

/**
 * Groups of three; in India of two before the last three (`1,23,456`); in East Asia of four, where several of them tell that
 * they are groups.
 */
const GROUPED = /^(?:\d{1,3}(?:([.,])\d{3}(?:\1\d{3})*)|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,4}(?:,\d{4}){2,})$/;

/** The zeros of other scripts that numbers are written in; their digits follow (Unicode, `Nd`). */
const ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0xff10,
];
const OTHER_SEPARATORS: Readonly<Record<string, string>> = { '٫': '.', '٬': ',', '．': '.', '，': ',' };

/** Digits and separators of other scripts as those of ASCII. */
function withAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}|[٫٬．，]/gu, (char) => {
    const code = char.codePointAt(0)!;
    const zero = ZEROS.find((first) => code >= first && code <= first + 9);
    return OTHER_SEPARATORS[char] ?? (zero === undefined ? char : String(code - zero));
  });
}

/** @returns null: the text has no such value */
export function transformValue(
  transform: ExtractTransform,
  text: string,
  page: ParsedPage,
): string | number | null {
  switch (transform) {
    case 'number':
      return numberIn(withAsciiDigits(text), () => writesDecimalComma(page));
    case 'date':
      return rfc3339DateOrDay(text);
    case 'url':
      return absoluteUrl(text.trim(), page.urls.base);
    case 'trim':
      return text.trim();
    case 'lower':
      return text.toLowerCase();
  }
}

/**
 * The first number in a text, such as the amount of a price: `1.299,00 €` is 1299. A single separator before three digits is
 * ambiguous (`1.299`): then the language of the page decides, and without one, a comma separates thousands and a point
 * decimals.
 * @param decimalComma whether the language of the page writes decimals with a comma; null: unknown
 */
function numberIn(text: string, decimalComma: () => boolean | null): number | null {
  const groups = NUMBER.exec(text)?.groups;
  if (groups === undefined) return null;
  const digits = groups.digits!.replace(GROUP_SEPARATORS, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const separators = digits.replace(/\d/g, '');
  let whole = digits;
  let decimals = '';
  if (last !== -1 && isDecimal(digits, separators, last, decimalComma)) {
    whole = digits.slice(0, last);
    decimals = digits.slice(last + 1);
  }
  // What is left separates thousands. Otherwise it is a version, a date or an address.
  if (/[.,]/.test(whole) && !GROUPED.test(whole)) return null;
  const number = Number(`${whole.replace(/[.,]/g, '') || '0'}.${decimals || '0'}`);
  return groups.sign === undefined ? number : -number;
}

/** Whether the last separator separates decimals. */
function isDecimal(
  digits: string,
  separators: string,
  last: number,
  decimalComma: () => boolean | null,
): boolean {
  const separator = digits[last]!;
  if (separators.length > 1) return !separators.slice(0, -1).includes(separator);
  const isAmbiguous = digits.length - last === 4 && last >= 1 && last <= 3 && digits[0] !== '0';
  return isAmbiguous ? (decimalComma() === true) === (separator === ',') : true;
}

/** By the language that the page declares; null: it declares none that is known. */
function writesDecimalComma({ tree }: ParsedPage): boolean | null {
  const root = rootElement(tree);
  const language = root === null ? null : (attributeOf(root, 'lang') ?? attributeOf(root, 'xml:lang'));
  if (language === null || language.trim() === '') return null;
  try {
    return new Intl.NumberFormat(language.trim()).format(1.5).includes(',');
  } catch {
    return null;
  }
}
