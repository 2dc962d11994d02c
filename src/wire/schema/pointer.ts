/** One more step of a JSON pointer (RFC 6901 §3: `~` and `/` in a name are escaped). */
export function pointTo(at: string, member: string | number): string {
  if (typeof member === 'number') return `${at}/${member}`;
  return `${at}/${member.includes('~') || member.includes('/') ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member}`;
}
