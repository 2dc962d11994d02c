const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
// RFC 6265 §5.1.1: what separates the tokens.
const DELIMITERS = /[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/;

/** A cookie date as browsers read it (RFC 6265 §5.1.1): milliseconds since the epoch, or null. */
export function parseCookieDate(text: string): number | null {
  let time: RegExpExecArray | null = null;
  let day = -1;
  let month = -1;
  let year = -1;
  for (const token of text.split(DELIMITERS)) {
    if (token === '') continue;
    let found: RegExpExecArray | null;
    if (time === null) {
      found = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(token);
      if (found !== null) {
        time = found;
        continue;
      }
    }
    if (day === -1) {
      found = /^(\d{1,2})(?:\D|$)/.exec(token);
      if (found !== null) {
        day = Number(found[1]);
        continue;
      }
    }
    if (month === -1) {
      month = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
      if (month !== -1) continue;
    }
    if (year === -1) {
      found = /^(\d{2,4})(?:\D|$)/.exec(token);
      if (found !== null) year = fullYear(Number(found[1]));
    }
  }
  if (time === null || day < 1 || day > 31 || month === -1 || year < 1601) return null;
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const at = new Date(0);
  at.setUTCFullYear(year, month, day);
  at.setUTCHours(hour, minute, second);
  // 31 February is no date.
  return at.getUTCDate() === day ? at.getTime() : null;
}

function fullYear(year: number): number {
  if (year >= 70 && year <= 99) return year + 1900;
  return year <= 69 ? year + 2000 : year;
}
