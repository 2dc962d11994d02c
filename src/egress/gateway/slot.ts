import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { failure } from '../../domain/failure.ts';
import { EngineConnection } from './engine-connection.ts';
import type { Dial, GatewayPolicy, GatewaySlot, GatewayUse } from './gateway.ts';
import { Use } from './use.ts';

export interface SlotParts {
  readonly dial: Dial;
  /** Tells a listener of our own; returns what takes it back. */
  readonly addOwnListener: (address: string, port: number) => () => void;
  /** Connections of an engine at once. */
  readonly maxConnections: number;
  /** How long a connection may be silent in both directions. */
  readonly idleMs: number;
}

const HOST = '127.0.0.1';
const FULL = failure('service.unavailable', 'The gateway cannot open another connection for this page.');

/** Rejects with what the system said when there is no listener to be had. */
export async function openSlot({
  dial,
  addOwnListener,
  maxConnections,
  idleMs,
}: SlotParts): Promise<GatewaySlot> {
  let use: Use | null = null;
  let closing: Promise<void> | null = null;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (engine: Socket) => {
    if (use === null || use.over) {
      engine.destroy();
      return;
    }
    engine.setTimeout(idleMs, () => engine.destroy());
    new EngineConnection(engine, use);
  });
  server.maxConnections = maxConnections;
  server.on('drop', () => use?.refuse('plain', null, FULL));
  server.listen(0, HOST);
  await once(server, 'listening');
  // From here on: a connection that cannot be accepted, for want of descriptors.
  server.on('error', () => use?.refuse('plain', null, FULL));
  const { port } = server.address() as AddressInfo;
  const noListener = addOwnListener(HOST, port);

  return {
    url: `http://${HOST}:${port}`,
    port,
    begin(policy: GatewayPolicy): GatewayUse {
      if (closing !== null) throw new Error('the slot is closed');
      if (use !== null) throw new Error('the slot is in use');
      const begun = new Use(policy, dial, () => {
        use = null;
      });
      use = begun;
      return begun;
    },
    close() {
      closing ??= closeAll(server, () => use).then(noListener);
      return closing;
    },
  };
}

async function closeAll(server: Server, use: () => Use | null): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await use()?.end();
  await closed;
}
