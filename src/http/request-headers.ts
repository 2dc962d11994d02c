import type { IncomingMessage } from 'node:http';

/**
 * How many field lines of that name a request has. Node keeps only the first of some names (Host, Authorization): who
 * is in front of us may have read the other one.
 * @param name lower-case
 */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]!;
    if (given.length === name.length && given.toLowerCase() === name) count++;
  }
  return count;
}

/** The best of `codings` (in the order of our liking) that `Accept-Encoding` takes; null: none (RFC 9110 §12.5.3). */
export function acceptedCoding<Coding extends string>(
  header: string | undefined,
  codings: readonly Coding[],
): Coding | null {
  if (header === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  let best: Coding | null = null;
  for (const coding of codings) {
    if (weightOf(coding) > (best === null ? 0 : weightOf(best))) best = coding;
  }
  return best;
}

/** `ETag` of a thing with that hash; each form of it has one of its own (RFC 9110 §8.8.3). */
export const entityTag = (hash: string, coding: string | null): string =>
  `"${hash}${coding === null ? '' : `-${coding}`}"`;

/** Whether `If-None-Match` names that tag (RFC 9110 §13.1.2). */
export const matchesEntityTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false;
