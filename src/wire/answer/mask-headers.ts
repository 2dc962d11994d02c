import type { HeaderList } from '../../domain/fetched.ts';

const MASK = '***';
const SECRET =
  /token|secret|passw|(?:api|auth|access|subscription|private)[-_]?key|^authorization$|^proxy-authorization$|^x-auth$|session|credential|csrf|xsrf/;

/** Whether the value of a request header is a credential. @param lower name in lower case */
export function isSecretHeader(lower: string): boolean {
  return SECRET.test(lower);
}

/** Request headers as they may be shown: credentials as `***`, of Cookie the names stay. Names are lower-case. */
export function maskHeaders(list: HeaderList): HeaderList {
  return list.map(([name, value]) => [name, maskedHeader(name, value)] as const);
}

/** @param lower name in lower case */
export function maskedHeader(lower: string, value: string): string {
  if (lower === 'cookie') return maskCookieHeader(value);
  return SECRET.test(lower) ? MASK : value;
}

/** `a=1; b=2` → `a=***; b=***`. What has no name is masked as a whole. */
export function maskCookieHeader(value: string): string {
  return value
    .split(';')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals === -1 ? MASK : `${pair.slice(0, equals).trim()}=${MASK}`;
    })
    .join('; ');
}
