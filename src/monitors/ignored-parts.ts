import type { IgnoredPart } from '../domain/monitors.ts';
import { withUrls } from './noisy-urls.ts';
import { dateNames, dayWords, loose, relativeTimes } from './time-words.ts';

/** What replaces a part that changes without meaning, so that both sides of a comparison are equal there. */
export const REPLACEMENT = '…';

/** Scripts without blanks between words: there a number or a word may stand beside any letter. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}';
const LETTER = `(?:(?![${UNSPACED}])\\p{L})`;
const START = `(?<!${LETTER}|[\\p{Nd}_])`;
const END = `(?!${LETTER}|[\\p{Nd}_])`;

type Replace = (text: string) => string;

const replacing =
  (patterns: readonly RegExp[]): Replace =>
  (text) =>
    patterns.reduce((rest, pattern) => rest.replace(pattern, REPLACEMENT), text);

const pattern = (...parts: readonly string[]) => new RegExp(parts.join(''), 'giu');

function withoutDates(): Replace {
  const names = dateNames();
  const month = `(?:${names.months})\\.?`;
  const weekday = `(?:(?:${names.weekdays})\\.?,?\\s(?:(?:the|den|der|el|le|il|de|ngày)\\s)?)?`;
  const year = "(?:'\\p{Nd}{2}|\\p{Nd}{4})";
  const day = '\\p{Nd}{1,2}(?:st|nd|rd|th|er|re|º|ª|°|\\.|-?(?:го|е))?';
  // `of`, and what stands before a year.
  const of = "\\s?(?:of\\s|del?\\s|d['’]|di\\s|da\\s|ב)?";
  const ofYear = `(?:,?\\s(?:of\\s|del?\\s|năm\\s)?${year})`;
  const afterYear = '(?:\\s?(?:г|р|m|g)\\.|\\s(?:года|році|року))?';
  const halfDay = '(?:(?:上午|下午|午前|午後|凌晨|早上|晚上|中午|오전|오후)\\s?)?';
  return replacing([
    // 2026-01-31, 2026/1/31, 2026-01-31T12:00:00Z
    pattern(
      START,
      '\\p{Nd}{4}([-/.])\\p{Nd}{1,2}\\1\\p{Nd}{1,2}(?!\\p{Nd})(?:[T ]\\p{Nd}{2}:\\p{Nd}{2}(?::\\p{Nd}{2}(?:\\.\\p{Nd}+)?)?(?: ?(?:Z|[+-]\\p{Nd}{2}:?\\p{Nd}{2}))?)?',
    ),
    // 31.01.2026, 31. 1. 2026, 1/31/26, 31-01-2026, 31.01.
    pattern(START, '\\p{Nd}{1,2}(\\.\\s?|/|-)\\p{Nd}{1,2}\\1\\p{Nd}{4}(?![\\p{Nd}])'),
    pattern(START, '\\p{Nd}{1,2}/\\p{Nd}{1,2}/\\p{Nd}{2}(?![\\p{Nd}/])'),
    pattern(START, '(?<!\\p{Nd}\\.)\\p{Nd}{2}\\.\\p{Nd}{2}\\.(?:\\p{Nd}{2})?(?![\\p{Nd}\\p{L}]|\\.\\p{Nd})'),
    // 31 January 2026, den 31. Januar, 31 de enero de 2026
    pattern(START, weekday, day, of, month, END, `${ofYear}?`, afterYear),
    // Jan 31, 2026
    pattern(START, weekday, month, '\\s', day, END, `${ofYear}?`),
    // January 2026
    pattern(START, month, ofYear, END, afterYear),
    // 2026. január 31., 2026 m. sausio 31 d.
    pattern(START, `\\p{Nd}{4}\\.?(?:\\sm\\.)?\\s`, month, '\\s', day, END, '(?:\\sd\\.)?'),
    // 2026年1月31日(土), 1月31日, 2026년 1월 31일, 2026年1月
    pattern(
      '(?:(?:令和|平成|民國|民国)\\s?)?(?:\\p{Nd}{1,4}\\s?[年년]\\s?)?\\p{Nd}{1,2}\\s?[月월]\\s?\\p{Nd}{1,2}\\s?[日号號일](?:\\s?[(（][\\p{sc=Han}\\p{sc=Hangul}]{1,3}[)）])?(?:\\s?(?:(?:星期|周|週|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일))?',
    ),
    pattern('\\p{Nd}{4}\\s?[年년]\\s?\\p{Nd}{1,2}\\s?[月월](?!\\p{Nd})'),
    // ngày 31 tháng 1 năm 2026
    pattern(START, '(?:ngày\\s)?\\p{Nd}{1,2}\\s(?:tháng|thg)\\s\\p{Nd}{1,2}', `${ofYear}?`),
    // 12:00, 12:00:30 PM, 下午3:05
    pattern(
      START,
      halfDay,
      '\\p{Nd}{1,2}:\\p{Nd}{2}(?::\\p{Nd}{2}(?:[.,]\\p{Nd}{1,3})?)?(?:\\s?[ap]\\.?\\s?m\\b\\.?)?',
    ),
    // 9 am, 12h30, 12.30 Uhr, 14 Uhr
    pattern(START, '\\p{Nd}{1,2}\\s?[ap]\\.?m\\b\\.?'),
    pattern(START, '\\p{Nd}{1,2}\\s?h\\s?\\p{Nd}{2}', END),
    pattern(
      START,
      '(?:(?<=kl\\.?\\s|klo\\s)\\p{Nd}{1,2}\\.\\p{Nd}{2}|\\p{Nd}{1,2}(?:[.:]\\p{Nd}{2})?(?=\\s(?:uhr|uur)(?!\\p{L})))',
    ),
    // 15時5分, 3시 5분
    pattern(
      halfDay,
      '\\p{Nd}{1,2}\\s?[時时點点시]\\s?(?:\\p{Nd}{1,2}\\s?[分분](?:\\s?\\p{Nd}{1,2}\\s?[秒초])?)?',
    ),
  ]);
}

const APPROXIMATELY =
  "(?:(?:about|around|over|almost|nearly|less than|more than|etwa|ca\\.?|circa|rund|fast|über|environ|plus d(?:e\\s|['’])|moins d(?:e\\s|['’])|presque|alrededor de|cerca de|más de|menos de|casi|mais de|quase|più di|quasi|около|примерно|більше|ongeveer|meer dan|bijna|cirka|omkring|noin|około|ponad|asi|yaklaşık)\\s?)?";
const ONE =
  "an?|one|a few|several|a couple of|einem|einer|ein paar|einigen|une?|quelques|unas?|unos|un['’]|um|uma|alguns|algumas|een|enkele|ett?|eine|en|et|jeden|jedną|jedna|jednu|jednou|jednom|один|одну|одна|bir|birkaç|半|数|几|幾";
const NUMBER = `${APPROXIMATELY}(?:\\p{Nd}+(?:[.,]\\p{Nd}+)?|(?:${ONE})(?![\\p{Ll}\\p{Lu}\\p{M}]))`;
/** What the tables of CLDR do not have. */
const NOW = `just now|moments? ago|a moment ago|right now|gerade eben|soeben|vor kurzem|vor wenigen augenblicken|à l['’]instant|il y a un instant|ahora mismo|hace un momento|hace un instante|agora mesmo|agora há pouco|proprio ora|poco fa|adesso|zojuist|zonet|nyss|just nu|lige nu|akkurat nå|juuri nyt|przed chwilą|właśnie teraz|právě teď|před chvílí|pred chvíľou|только что|щойно|az önce|şimdi|刚刚|剛剛|刚才|たった今|たったいま|方金|방금|الآن|עכשיו|เมื่อสักครู่|vừa xong|baru saja`;

function withoutRelativeTimes(): Replace {
  const others = replacing([
    pattern(START, `(?:${NOW})`, END),
    // 3h ago
    pattern(
      START,
      NUMBER,
      '\\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mos?|months?|y|yrs?|years?) ago',
      END,
    ),
    pattern(
      START,
      NUMBER,
      '\\s?(?:segundos?|min(?:utos?)?|horas?|h|dias?|semanas?|m[eê]s(?:es)?|anos?) atrás',
      END,
    ),
    pattern(START, `(?:${dayWords().map(loose).join('|')})`, END),
  ]);
  return (text) => others(withoutTimesOfTables(text));
}

/** What may stand before a number and after it, in any language, with the pattern of what may follow once it is needed. */
let table: {
  readonly number: RegExp;
  readonly ends: Map<string, readonly string[] | RegExp>;
} | null = null;

function timesTable() {
  if (table !== null) return table;
  const ends = new Map<string, readonly string[] | RegExp>();
  for (const [before, after] of relativeTimes()) {
    const key = plain(before);
    ends.set(key, [...((ends.get(key) as readonly string[] | undefined) ?? []), ...after]);
  }
  const starts = [...ends.keys()].filter((before) => before !== '').sort((a, b) => b.length - a.length);
  table = { number: pattern(START, `((?:${starts.map(loose).join('|')})?)(${NUMBER})`), ends };
  return table;
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').replace(/’/g, "'");

function withoutTimesOfTables(text: string): string {
  const { number, ends } = timesTable();
  const endOf = (before: string, at: number): number | null => {
    let after = ends.get(before);
    if (after === undefined) return null;
    if (!(after instanceof RegExp)) {
      after = new RegExp(`(?:${after.map(loose).join('|')})${END}`, 'iuy');
      ends.set(before, after);
    }
    after.lastIndex = at;
    return after.test(text) ? after.lastIndex : null;
  };
  let result = '';
  let end = 0;
  for (const { 0: whole, 1: before, index } of text.matchAll(number)) {
    const at = index + whole.length;
    const withBefore = before === '' ? null : endOf(plain(before!), at);
    const found = withBefore ?? endOf('', at);
    if (found === null) continue;
    result += text.slice(end, withBefore === null ? index + before!.length : index) + REPLACEMENT;
    end = found;
  }
  return result + text.slice(end);
}

/** A number with its separators of thousands, in any digits, and a scale such as `k`, `Tsd.` or `万`. */
const COUNT = pattern(
  START,
  "\\p{Nd}+(?:[.,'’٬٫\\u00a0\\u202f\\u2009 ]\\p{Nd}{2,3}(?!\\p{Nd}))*(?:[.,٫]\\p{Nd}{1,2}(?!\\p{Nd}))?",
  '(?:\\s?(?:(?:k|m|b|bn|mm?n|mio|tsd|thousand|millions?|billions?|mil(?:lion(?:en|s|i|es)?|hões|hão)?|mille|mld|mrd|mln|tys|tis|mi|rb|jt|lakhs?|crores?|cr|тыс|млн|млрд|тис|ألف|مليون)(?:\\.|(?!\\p{L}))|[万萬亿億千百만천억])){0,2}',
  '\\+?',
  END,
);
/** Signs, codes and names of currencies, on either side of a price. */
const CURRENCY =
  '\\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|RUB|UAH|TRY|BRL|MXN|ARS|CLP|COP|KRW|SGD|HKD|TWD|ZAR|AED|SAR|ILS|EGP|THB|IDR|MYR|PHP|VND|US\\$|R\\$|Rs\\.?|Rp\\.?|RM|kr\\.?|Fr\\.?|zł|Kč|Ft|lei|лв\\.?|руб\\.?|грн\\.?|TL|euros?|dollars?|cents?|pounds?|pence|yen|francs?|Franken|rupees?|円|元|원|บาท';
const PRICED_BEFORE = new RegExp(`(?:\\p{Sc}|(?<!\\p{L})(?:${CURRENCY}))\\s?$`, 'iu');
/** A price, a share, a measure or a time of day: what it is about has not only been counted. */
const MEASURED_AFTER = new RegExp(
  `^(?:\\.-|,-|\\s?(?:\\p{Sc}|[%‰°])|\\s?(?:${CURRENCY})(?!\\p{L})|\\s?(?:kg|mg|g|km|cm|mm|ml|cl|l|oz|lbs?|ft|GB|MB|TB|kB|GHz|MHz|Hz|kWh?|MW|mAh|px|am|pm|a\\.m|p\\.m|Uhr|uur)(?!\\p{L})|[年月日号號時时分秒년월일시분초])`,
  'iu',
);
/** The number is a part of a longer one, a date, a time, a version or a name with a hyphen. */
const JOINED_BEFORE = /(?:\p{Nd}[-–/:.,]|[\p{L}_][-–./])$/u;
const JOINED_AFTER = /^(?:[-–/:.,]\p{Nd}|-\p{L})/u;
/** Endings of the plural, and of the singular where it has another one. */
export const PLURAL = /(?<=\p{L}{3})(?:ies|иев|ий|ия|ов|ев|ів|ów|ler|lar|es|en|er|[seniyoаяиыіeaü])$/u;

/** Numbers that count something, and the plural of what they count. Prices, shares, measures and times keep their meaning. */
function withoutCounters(text: string): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(COUNT)) {
    const before = text.slice(Math.max(0, match.index - 12), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 12);
    const isMarker = /(?:^|\n)[ \t>*-]*$/.test(before) && /^[.)] /.test(after);
    const counts =
      !isMarker &&
      !JOINED_BEFORE.test(before) &&
      !JOINED_AFTER.test(after) &&
      !PRICED_BEFORE.test(before) &&
      !MEASURED_AFTER.test(after);
    if (!counts) continue;
    result += text.slice(end, match.index) + REPLACEMENT;
    end = match.index + match[0].length;
    // `1 comment` becomes `2 comments`.
    const counted = /^(\s?)(\p{L}{3,30})(?!\p{L})/u.exec(text.slice(end, end + 40));
    if (counted === null) continue;
    result += counted[1]! + counted[2]!.replace(PLURAL, '');
    end += counted[0].length;
  }
  return result + text.slice(end);
}

const MAKERS: Readonly<Record<Exclude<IgnoredPart, 'order'>, () => Replace>> = {
  dates: withoutDates,
  relative_times: withoutRelativeTimes,
  counters: () => withoutCounters,
};
/** The patterns take a moment to make, and most comparisons need none. */
const made = new Map<IgnoredPart, Replace>();

function replacementOf(part: Exclude<IgnoredPart, 'order'>): Replace {
  let replace = made.get(part);
  if (replace === undefined) {
    replace = MAKERS[part]();
    made.set(part, replace);
  }
  return replace;
}

/** The text with these parts replaced, but for its URLs. `order` changes nothing here. */
export function withoutParts(text: string, parts: readonly IgnoredPart[]): string {
  const used = parts.flatMap((part) => (part === 'order' ? [] : [replacementOf(part)]));
  if (used.length === 0) return text;
  return withUrls(
    text,
    (url) => url,
    (rest) => used.reduce((result, replace) => replace(result), rest),
  );
}
