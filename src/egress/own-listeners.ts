import { networkInterfaces } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { type Address, parseAddress, sameAddress } from './address.ts';
import { isLoopback, isUnspecified } from './public-address.ts';

/** The sockets that this process listens on: no scrape may reach them. */
export interface OwnListeners {
  /**
   * @param address as `server.address()` tells it
   * @param exact covers that address alone: its port is any that was free, and may be free for others on another one
   * @returns takes this one out again
   */
  add(address: string, port: number, exact?: boolean): () => void;
  covers(address: Address, port: number): boolean;
}

/** Interfaces come and go; asking the system for them costs about 0.1 ms. */
const INTERFACES_MS = 1000;

/**
 * A listener on one address covers that address; on a loopback address, unless it is exact, all of loopback; on 0.0.0.0, :: or on
 * something that is not an address, every address of this host.
 */
export function ownListeners(clock: Clock): OwnListeners {
  const byPort = new Map<number, ((address: Address) => boolean)[]>();
  let mine: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;

  const isThisHost = (address: Address): boolean => {
    if (isLoopback(address) || isUnspecified(address)) return true;
    const now = clock.monotonic();
    if (now - readAt >= INTERFACES_MS) {
      mine = interfaceAddresses();
      readAt = now;
    }
    return mine.has(address.text);
  };

  return {
    add(text, port, exact = false) {
      const own = parseAddress(text);
      const entry =
        own === null || isUnspecified(own)
          ? isThisHost
          : (address: Address) =>
              sameAddress(own, address) || (!exact && isLoopback(own) && isLoopback(address));
      byPort.set(port, [...(byPort.get(port) ?? []), entry]);
      return () => {
        const list = byPort.get(port) ?? [];
        const at = list.indexOf(entry);
        if (at === -1) return;
        if (list.length === 1) byPort.delete(port);
        else byPort.set(port, list.toSpliced(at, 1));
      };
    },
    covers(address, port) {
      return byPort.get(port)?.some((isCovered) => isCovered(address)) ?? false;
    },
  };
}

function interfaceAddresses(): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const list of Object.values(networkInterfaces())) {
    for (const { address } of list ?? []) {
      const parsed = parseAddress(address);
      if (parsed !== null) texts.add(parsed.text);
    }
  }
  return texts;
}
