import type { IncomingMessage } from 'node:http';

/**
 * How many field lines of that name a request has. Of some names (Host, Authorization) Node keeps only the first, but a proxy
 * in front of the service may have used another one.
 * @param name lower-case
 */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const fieldName = rawHeaders[index]!;
    if (fieldName.length === name.length && fieldName.toLowerCase() === name) count++;
  }
  return count;
}

/**
 * The coding that `Accept-Encoding` (RFC 9110 §12.5.3) prefers; null: none of them is accepted.
 * @param codings of equal weights the first one is chosen
 */
export function acceptedCoding<Coding extends string>(
  header: string | undefined,
  codings: readonly Coding[],
): Coding | null {
  if (header === undefined) return null;
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  let best: Coding | null = null;
  for (const coding of codings) {
    if (weightOf(coding) > (best === null ? 0 : weightOf(best))) best = coding;
  }
  return best;
}

/** The `ETag` of a representation: each coding of the same content needs a different one (RFC 9110 §8.8.3.3). */
export const entityTag = (hash: string, coding: string | null): string =>
  `"${hash}${coding === null ? '' : `-${coding}`}"`;

/** Whether `If-None-Match` names that tag (RFC 9110 §13.1.2). */
export const matchesEntityTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false;
