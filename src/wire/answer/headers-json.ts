import type { HeaderList } from '../../domain/fetch-result.ts';

const MASK = '***';
const SECRET_HEADER =
  /token|secret|passw|(?:api|auth|access|subscription|private)[-_]?key|^authorization$|^proxy-authorization$|^x-auth$|session|credential|csrf|xsrf/;

/** Whether the value of a request header is a credential. @param lowerName name in lower case */
export function isSecretHeader(lowerName: string): boolean {
  return SECRET_HEADER.test(lowerName);
}

/** Replaces credentials in request headers by `***`. The names of cookies are kept. @param list names lower-case */
export function maskHeaders(list: HeaderList): HeaderList {
  return list.map(([name, value]) => [name, maskHeader(name, value)] as const);
}

/** @param lowerName name in lower case */
function maskHeader(lowerName: string, value: string): string {
  if (lowerName === 'cookie') return maskCookieHeader(value);
  return SECRET_HEADER.test(lowerName) ? MASK : value;
}

/** `a=1; b=2` → `a=***; b=***`. A pair without a name is masked as a whole. */
export function maskCookieHeader(value: string): string {
  return value
    .split(';')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals === -1 ? MASK : `${pair.slice(0, equals).trim()}=${MASK}`;
    })
    .join('; ');
}

/** Searching a list up to this length is faster than making a map. */
const MAX_LINEAR_SEARCH = 32;

/**
 * Header lines as a JSON object. Values of the same name are joined with `, `, but those of `set-cookie` with a line break,
 * because they may contain commas (RFC 9110 §5.3). Not made by `JSON.stringify`: an object would move names such as `1`
 * to the front, and lose `__proto__`.
 * @param list names lower-case
 * @param credentials `masked`: they are replaced by `***`
 */
export function headersJson(list: HeaderList | null, credentials: 'masked' | 'shown'): string {
  if (list === null || list.length === 0) return '{}';
  const firstLines = list.length > MAX_LINEAR_SEARCH ? indexesOfFirstLines(list) : null;
  let text = '{';
  for (let i = 0; i < list.length; i++) {
    const name = list[i]![0];
    if ((firstLines === null ? indexOfFirstLine(list, name) : firstLines.get(name)) !== i) continue;
    const value = joinedValues(list, i);
    if (i > 0) text += ',';
    text += `${JSON.stringify(name)}:${JSON.stringify(credentials === 'masked' ? maskHeader(name, value) : value)}`;
  }
  return `${text}}`;
}

function indexOfFirstLine(list: HeaderList, name: string): number {
  for (let i = 0; i < list.length; i++) if (list[i]![0] === name) return i;
  return -1;
}

/** For each name, the index of its first line. */
function indexesOfFirstLines(list: HeaderList): Map<string, number> {
  const indexes = new Map<string, number>();
  for (let i = 0; i < list.length; i++) if (!indexes.has(list[i]![0])) indexes.set(list[i]![0], i);
  return indexes;
}

/** The values of all lines with the name of the line at `from`, which is the first with that name. */
function joinedValues(list: HeaderList, from: number): string {
  const [name, value] = list[from]!;
  let text = value;
  for (let i = from + 1; i < list.length; i++) {
    if (list[i]![0] === name) text += (name === 'set-cookie' ? '\n' : ', ') + list[i]![1];
  }
  return text;
}
