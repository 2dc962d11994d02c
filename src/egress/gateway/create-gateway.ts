import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { failure } from '../../domain/failure.ts';
import { EngineConnection } from './engine-connection.ts';
import type { Gateway, GatewayDial, GatewayPolicy, GatewaySession, GatewaySlot } from './gateway.ts';
import { SlotSession } from './gateway-session.ts';

interface SlotDeps {
  readonly dial: GatewayDial;
  /** Tells a listener of our own; returns what takes it back. */
  readonly addOwnListener: (address: string, port: number) => () => void;
  /** Connections of an engine at once. */
  readonly maxConnections: number;
  /** How long a connection may be silent in both directions. */
  readonly idleMs: number;
}

const LOOPBACK_HOST = '127.0.0.1';
const TOO_MANY_CONNECTIONS = failure(
  'service.unavailable',
  'The gateway cannot open another connection for this page.',
);

/** Rejects with what the system said when there is no listener to be had. */
async function openSlot({ dial, addOwnListener, maxConnections, idleMs }: SlotDeps): Promise<GatewaySlot> {
  let use: SlotSession | null = null;
  let closing: Promise<void> | null = null;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (engine: Socket) => {
    if (use === null || use.stopped) {
      engine.destroy();
      return;
    }
    engine.setTimeout(idleMs, () => engine.destroy());
    new EngineConnection(engine, use);
  });
  server.maxConnections = maxConnections;
  server.on('drop', () => use?.logRefusal('plain', null, TOO_MANY_CONNECTIONS));
  server.listen(0, LOOPBACK_HOST);
  await once(server, 'listening');
  // From here on: a connection that cannot be accepted, for want of descriptors.
  server.on('error', () => use?.logRefusal('plain', null, TOO_MANY_CONNECTIONS));
  const { port } = server.address() as AddressInfo;
  const noListener = addOwnListener(LOOPBACK_HOST, port);

  return {
    url: `http://${LOOPBACK_HOST}:${port}`,
    port,
    begin(policy: GatewayPolicy): GatewaySession {
      if (closing !== null) throw new Error('the slot is closed');
      if (use !== null) throw new Error('the slot is in use');
      const begun = new SlotSession(policy, dial, () => {
        use = null;
      });
      use = begun;
      return begun;
    },
    close() {
      closing ??= closeServer(server, () => use).then(noListener);
      return closing;
    },
  };
}

async function closeServer(server: Server, use: () => SlotSession | null): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await use()?.end();
  await closed;
}

type GatewayDeps = Pick<SlotDeps, 'dial' | 'addOwnListener'> &
  Partial<Pick<SlotDeps, 'maxConnections' | 'idleMs'>>;

/** What a browser opens by itself is below 50. */
const MAX_CONNECTIONS = 256;
/** The longest time that a scrape may take: what is silent for so long belongs to none. */
const IDLE_MS = 300_000;

/** Opens nothing before the first slot. */
export function createGateway({
  maxConnections = MAX_CONNECTIONS,
  idleMs = IDLE_MS,
  ...parts
}: GatewayDeps): Gateway {
  const slots = new Set<GatewaySlot>();
  const opening = new Set<Promise<unknown>>();
  let closed = false;
  return {
    async openSlot() {
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
