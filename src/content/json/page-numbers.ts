/** A number as people write it, with its separators. A sign counts only directly before it. */
const NUMBER = /(?<![\p{L}\p{N}])[-+−]?\d(?:[\d.,'’\s\u00a0\u202f]*\d)?/gu;
/** A second number that says what the first is out of: `4.5 out of 5`, `4,5/5`. */
const OUT_OF = /^\s*(?:\/|out of|von|sur|of|de|su)\s*\d+(?:[.,]\d+)?$/i;
const THOUSANDS = /^\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+$/;
/** Languages in which a comma separates the decimals. */
const COMMA_LANGUAGES: ReadonlySet<string> = new Set(
  'de fr es it pt nl pl ru uk cs sk sl hr sr bg ro hu tr da sv no nb nn fi et lv lt el id vi ca'.split(' '),
);
const MAX_LENGTH = 200;

/**
 * The number in a short text such as `1.299,00 €`; null: it has none, or several.
 * @param language of the text, such as `de`: it decides what a single separator before three digits means
 */
export function numberIn(text: string, language: string | null): number | null {
  if (text.length > MAX_LENGTH) return null;
  const digits = plainDigits(text);
  const found = [...digits.matchAll(NUMBER)];
  const [first, second] = found;
  if (first === undefined) return null;
  if (second !== undefined) {
    const rest = digits.slice(first.index + first[0].length);
    if (found.length > 2 || !OUT_OF.test(rest)) return null;
  }
  const comma = COMMA_LANGUAGES.has((language ?? '').slice(0, 2).toLowerCase());
  return readNumber(first[0], comma);
}

/** Digits of all scripts as ASCII digits; other characters stay. */
export function plainDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0)!)));
}

/** The decimal digits of a script are ten characters in a row, which begin with zero (Unicode, stability policy). */
function digitValue(code: number): number {
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}

/** @param comma whether a comma separates the decimals where the digits alone do not tell */
export function readNumber(written: string, comma: boolean): number | null {
  const sign = /^[-−]/.test(written) ? -1 : 1;
  const body = written.replace(/^[-+−]/, '');
  const separators = [...new Set(body.replace(/\d/g, ''))];
  const last = /[.,](?=\d*$)/.exec(body)?.[0] ?? null;
  if (separators.length === 0) return sign * Number(body);
  if (separators.length === 1) {
    const [only] = separators as [string];
    const groups = THOUSANDS.test(body);
    const isDecimal = only === '.' ? !comma : only === ',' ? comma : false;
    if (only !== '.' && only !== ',') return groups ? sign * Number(body.replaceAll(only, '')) : null;
    const once = body.split(only).length === 2;
    if (!groups) return once ? sign * Number(body.replace(only, '.')) : null;
    return once && isDecimal
      ? sign * Number(body.replace(only, '.'))
      : sign * Number(body.replaceAll(only, ''));
  }
  // Several separators: the last one separates the decimals, the others must group by three.
  if (last === null || body.split(last).length !== 2) return null;
  const [whole, decimals] = body.split(last) as [string, string];
  return THOUSANDS.test(whole) && separators.length === 2
    ? sign * Number(`${whole.replace(/\D/g, '')}.${decimals}`)
    : null;
}
