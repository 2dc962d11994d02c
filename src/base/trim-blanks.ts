/**
 * Without the spaces and tabs around it (RFC 9110 §5.6.3, OWS); line breaks stay. By hand: `/[ \t]+$/` takes a time that
 * grows with the square of a run of blanks in the middle, which strangers choose.
 */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return to - from === text.length ? text : text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
