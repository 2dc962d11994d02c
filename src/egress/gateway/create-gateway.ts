import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { failure } from '../../domain/failure.ts';
import { ClientConnection } from './client-connection.ts';
import type { Gateway, GatewayDial, GatewayPolicy, GatewaySession, GatewaySlot } from './gateway.ts';
import { SlotSession } from './gateway-session.ts';

interface SlotDeps {
  readonly dial: GatewayDial;
  /** Registers a listener of this process. @returns removes it */
  readonly addOwnListener: (address: string, port: number) => () => void;
  /** Maximum of concurrent connections from the client. */
  readonly maxConnections: number;
  /** How long a connection may be idle in both directions. */
  readonly idleMs: number;
}

const LOOPBACK_HOST = '127.0.0.1';
const TOO_MANY_CONNECTIONS = failure(
  'service.unavailable',
  'The gateway cannot open another connection for this page.',
);

/** Rejects with the error of the system when it cannot listen. */
async function openSlot({ dial, addOwnListener, maxConnections, idleMs }: SlotDeps): Promise<GatewaySlot> {
  let session: SlotSession | null = null;
  let closing: Promise<void> | null = null;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client: Socket) => {
    if (session === null || session.stopped) {
      client.destroy();
      return;
    }
    client.setTimeout(idleMs, () => client.destroy());
    new ClientConnection(client, session);
  });
  server.maxConnections = maxConnections;
  server.on('drop', () => session?.logRefusal('plain', null, TOO_MANY_CONNECTIONS));
  server.listen(0, LOOPBACK_HOST);
  await once(server, 'listening');
  // After `listening` an error means that a connection could not be accepted, for lack of descriptors.
  server.on('error', () => session?.logRefusal('plain', null, TOO_MANY_CONNECTIONS));
  const { port } = server.address() as AddressInfo;
  const removeOwnListener = addOwnListener(LOOPBACK_HOST, port);

  return {
    url: `http://${LOOPBACK_HOST}:${port}`,
    port,
    begin(policy: GatewayPolicy): GatewaySession {
      if (closing !== null) throw new Error('the slot is closed');
      if (session !== null) throw new Error('the slot is in use');
      const begun = new SlotSession(policy, dial, () => {
        session = null;
      });
      session = begun;
      return begun;
    },
    close() {
      closing ??= closeServer(server, () => session).then(removeOwnListener);
      return closing;
    },
  };
}

async function closeServer(server: Server, currentSession: () => SlotSession | null): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await currentSession()?.end();
  await closed;
}

type GatewayDeps = Pick<SlotDeps, 'dial' | 'addOwnListener'> &
  Partial<Pick<SlotDeps, 'maxConnections' | 'idleMs'>>;

/** More than a page needs: a browser opens fewer than 50 for ordinary pages. */
const MAX_CONNECTIONS = 256;
/** The longest time that a scrape may take, so no running scrape uses a connection that was idle for so long. */
const IDLE_MS = 300_000;

/** Opens nothing before the first slot. */
export function createGateway({
  maxConnections = MAX_CONNECTIONS,
  idleMs = IDLE_MS,
  ...deps
}: GatewayDeps): Gateway {
  const slots = new Set<GatewaySlot>();
  const opening = new Set<Promise<unknown>>();
  let closed = false;
  return {
    async openSlot() {
      if (closed) throw new Error('the gateway is closed');
      const pending = openSlot({ ...deps, maxConnections, idleMs });
      opening.add(pending);
      const slot = await pending.finally(() => opening.delete(pending));
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
