import { join } from 'node:path';

const KEY = /^[0-9a-f-]{1,64}$/;

/**
 * Where the blob of a key lies: two folders by its last four characters (record ids begin with the time, so only
 * their end spreads). A key has neither dots nor separators, therefore the path cannot leave `dir`.
 * @throws TypeError when it is not a key: a bug of the caller.
 */
export function blobPath(dir: string, key: string): string {
  if (!KEY.test(key)) throw new TypeError(`not a blob key: ${JSON.stringify(key.slice(0, 80))}`);
  const tail = key.padStart(4, '0');
  return join(dir, tail.slice(-2), tail.slice(-4, -2), `${key}.zst`);
}

/** The key of a file name, or null when no blob has such a name. */
export function keyOfName(name: string): string | null {
  if (!name.endsWith('.zst')) return null;
  const key = name.slice(0, -4);
  return KEY.test(key) ? key : null;
}
