import { readFileSync } from 'node:fs';
import type { Clock } from '../base/time.ts';
import { type Address, parseAddress } from './address.ts';
import { fileChangeDetector } from './file-changes.ts';

/** The addresses of a name (lower-case, no trailing dot) in the order of the file, or null. */
export type HostsFile = (name: string) => readonly Address[] | null;

/** Reads hosts(5) at the first look-up, and again after a change. A missing file has no names. */
export function createHostsFile(path: string, clock: Clock): HostsFile {
  const hasChanged = fileChangeDetector(path, clock);
  let names: ReadonlyMap<string, readonly Address[]> = new Map();
  return (name) => {
    if (hasChanged()) names = readHosts(path);
    return names.get(name) ?? null;
  };
}

function readHosts(path: string): ReadonlyMap<string, readonly Address[]> {
  try {
    return parseHosts(readFileSync(path, 'utf8'));
  } catch {
    return new Map();
  }
}

/** Each line has an address and its names; `#` begins a comment. Lines without a valid address are skipped. */
export function parseHosts(text: string): ReadonlyMap<string, readonly Address[]> {
  const names = new Map<string, Address[]>();
  for (const line of text.split(/\r?\n/)) {
    const hash = line.indexOf('#');
    const [first, ...rest] = (hash === -1 ? line : line.slice(0, hash)).trim().split(/\s+/);
    const address = parseAddress(first ?? '');
    if (address === null) continue;
    for (const alias of rest) {
      const name = alias.toLowerCase().replace(/\.$/, '');
      const list = names.get(name);
      if (list === undefined) names.set(name, [address]);
      else if (!list.some((known) => known.text === address.text)) list.push(address);
    }
  }
  return names;
}
