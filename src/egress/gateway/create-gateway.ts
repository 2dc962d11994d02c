import type { Gateway, GatewaySlot } from './gateway.ts';
import { openSlot, type SlotParts } from './slot.ts';

export type GatewayParts = Pick<SlotParts, 'dial' | 'addOwnListener'> &
  Partial<Pick<SlotParts, 'maxConnections' | 'idleMs'>>;

/** What a browser opens by itself is below 50. */
const MAX_CONNECTIONS = 256;
/** The longest time that a scrape may take: what is silent for so long belongs to none. */
const IDLE_MS = 300_000;

/** Opens nothing before the first slot. */
export function createGateway({
  maxConnections = MAX_CONNECTIONS,
  idleMs = IDLE_MS,
  ...parts
}: GatewayParts): Gateway {
  const slots = new Set<GatewaySlot>();
  const opening = new Set<Promise<unknown>>();
  let closed = false;
  return {
    async slot() {
      if (closed) throw new Error('the gateway is closed');
      const opened = openSlot({ ...parts, maxConnections, idleMs });
      opening.add(opened);
      const slot = await opened.finally(() => opening.delete(opened));
      slots.add(slot);
      const close = () => slot.close().finally(() => slots.delete(slot));
      return { url: slot.url, port: slot.port, begin: slot.begin, close };
    },
    async close() {
      closed = true;
      await Promise.allSettled(opening);
      await Promise.all(Array.from(slots, (slot) => slot.close()));
    },
  };
}
