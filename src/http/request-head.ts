import type { IncomingMessage } from 'node:http';

/**
 * How many field lines of that name a request has. Node keeps only the first of some names (Host, Authorization): who
 * is in front of us may have read the other one.
 * @param name lower-case
 */
export function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]!;
    if (given.length === name.length && given.toLowerCase() === name) count++;
  }
  return count;
}
