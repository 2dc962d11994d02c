/** Words of dates and of relative times in many languages, from the Unicode CLDR that the platform has. */

const LANGUAGES =
  'en de fr es it pt nl sv da nb fi is pl cs sk hu ro bg hr sr sr-Latn sl el tr ru uk lt lv et ar he fa hi bn th vi id ms ca eu gl ja ko zh zh-TW'.split(
    ' ',
  );
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
/** Numbers that show all plural forms of these languages. */
const NUMBERS = [1, 2, 3, 5, 11, 20];
/** Short names of months that are words of other languages: they count with their full stop only. */
const AMBIGUOUS = new Set(
  'out set ago led pro sie elo lip tra ara tem mac dis agu stu kol lis eki'.split(' '),
);

/** A pattern for words, whatever white space, apostrophes and full stops are written. */
export const loose = (words: string): string =>
  words
    .replace(/[\\^$*+?()[\]{}|/]/g, '\\$&')
    .replace(/['’׳]/g, "['’׳]")
    .replace(/\./g, '\\.?')
    .replace(/\s+/g, '\\s?');

const longestFirst = (words: Iterable<string>): string[] =>
  [...new Set(words)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));

/** Patterns for the names of months and of days of the week, as alternatives. */
export function dateNames(): { readonly months: string; readonly weekdays: string } {
  const months: string[] = [];
  const weekdays: string[] = [];
  const calendar = (language: string) => `${language}-u-ca-gregory-nu-latn`;
  const partOf = (format: Intl.DateTimeFormat, type: 'month' | 'weekday', day: number) =>
    format
      .formatToParts(day)
      .find((part) => part.type === type)
      ?.value.toLowerCase() ?? '';
  for (const language of LANGUAGES)
    for (const width of ['long', 'short'] as const) {
      // With a day, many languages have another form of the name.
      for (const options of [{ month: width }, { month: width, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(calendar(language), { ...options, timeZone: 'UTC' });
        for (let month = 0; month < 12; month++)
          months.push(partOf(format, 'month', Date.UTC(2026, month, 15)));
      }
      const format = new Intl.DateTimeFormat(calendar(language), { weekday: width, timeZone: 'UTC' });
      for (let day = 1; day <= 7; day++) weekdays.push(partOf(format, 'weekday', Date.UTC(2026, 5, day)));
    }
  const named = months
    // Months with numbers, as `1月` and `tháng 1`, have patterns of their own.
    .filter((name) => name !== '' && !/\p{Nd}/u.test(name))
    .map((name) => (AMBIGUOUS.has(name.replace('.', '')) ? `${name.replace('.', '')}\\.` : loose(name)));
  // Words of one letter would be found everywhere.
  const days = weekdays.filter((name) => name.replace('.', '').length > 1);
  return { months: longestFirst(named).join('|'), weekdays: longestFirst(days.map(loose)).join('|') };
}

let longNames: RegExp | null = null;

/** Whether a word is a month or a day of the week. Shorter names are words of other languages. */
export function isDateWord(word: string): boolean {
  if (longNames === null) {
    const { months, weekdays } = dateNames();
    longNames = new RegExp(`^(?:${months}|${weekdays})$`, 'iu');
  }
  return word.length >= 4 && longNames.test(word);
}

/** What stands before and after the number of a relative time, such as `il y a ` and ` heures`, lower-case. */
export function relativeTimes(): ReadonlyMap<string, readonly string[]> {
  const suffixes = new Map<string, Set<string>>();
  for (const language of LANGUAGES)
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { style });
      for (const unit of UNITS)
        for (const number of NUMBERS)
          for (const sign of [-1, 1]) {
            const parts = format.formatToParts(sign * number, unit);
            const at = parts.findIndex(({ type }) => type === 'integer');
            if (at === -1) continue;
            const text = (some: typeof parts) =>
              some
                .map(({ value }) => value)
                .join('')
                .toLowerCase();
            const [before, after] = [text(parts.slice(0, at)), text(parts.slice(at + 1))];
            // `+3 h` is no time to be sure of, and of some languages the words come before the number in parentheses.
            if (/[-+(−]/.test(before) || (before === '' && /^\p{sc=Latin}{0,2}\.?$/u.test(after.trim())))
              continue;
            const known = suffixes.get(before) ?? new Set();
            suffixes.set(before, known.add(after));
          }
    }
  return new Map([...suffixes].map(([before, after]) => [before, longestFirst(after)]));
}

/** Yesterday, today and tomorrow. */
export function dayWords(): readonly string[] {
  const words = LANGUAGES.flatMap((language) => {
    const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    return [-2, -1, 0, 1, 2].map((days) => format.format(days, 'day').toLowerCase());
  });
  return longestFirst(words.filter((word) => !/\p{Nd}/u.test(word)));
}
