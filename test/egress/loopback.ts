import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

export interface Listener {
  readonly port: number;
  /** Connections that are open now, and how many there ever were. */
  readonly open: ReadonlySet<Socket>;
  accepted(): number;
  readonly server: Server;
}

/** A TCP server that takes connections and says nothing; ended with the test. */
export async function listen(t: TestContext, host = '127.0.0.1', port = 0): Promise<Listener> {
  const open = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.resume();
  });
  server.listen(port, host);
  await once(server, 'listening');
  t.after(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, open, accepted: () => accepted, server };
}

/** A port of the address where nothing listens. */
export async function closedPort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * An address that swallows connection attempts: a listener whose thread stands still, with its queue full, so that the
 * system drops every further SYN. null where the system does not do that.
 */
export async function blackhole(t: TestContext, host = '127.0.0.1', port = 0): Promise<number | null> {
  const worker = new Worker(STANDS_STILL, { eval: true, workerData: { host, port } });
  t.after(() => worker.terminate());
  const [bound] = (await once(worker, 'message')) as [number];
  const fillers: Socket[] = [];
  t.after(() => {
    for (const socket of fillers) socket.destroy();
  });
  for (let i = 0; i < 8; i++) {
    const socket = connect({ host, port: bound }).on('error', () => {});
    fillers.push(socket);
    const taken = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, 300, false)),
    ]);
    if (!taken) return bound;
  }
  return null;
}

const STANDS_STILL = `
  const { workerData, parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ ...workerData, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;
