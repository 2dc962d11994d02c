import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface RawServer {
  readonly port: number;
  readonly url: string;
  /** Connections open now. */
  readonly open: ReadonlySet<Socket>;
  /** Connections there ever were. */
  accepted(): number;
}

/** A TCP server that hands each connection to `serve`; errors are swallowed, all is ended with the test. */
export async function rawServer(
  t: TestContext,
  serve: (socket: Socket, n: number) => void,
): Promise<RawServer> {
  const open = new Set<Socket>();
  let accepted = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    serve(socket, ++accepted);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/`, open, accepted: () => accepted };
}

/** Answers the first request of every connection with these bytes and ends it. */
export function answering(t: TestContext, bytes: string | Uint8Array): Promise<RawServer> {
  return rawServer(t, (socket) => {
    onRequest(socket, () => socket.end(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
  });
}

/** Calls back with the head of each request, bodies of a Content-Length skipped. */
export function onRequest(socket: Socket, request: (head: string, body: Buffer) => void): void {
  let seen = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    seen = Buffer.concat([seen, bytes]);
    for (;;) {
      const end = seen.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = seen.toString('latin1', 0, end + 4);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (seen.length < end + 4 + length) return;
      const body = seen.subarray(end + 4, end + 4 + length);
      seen = seen.subarray(end + 4 + length);
      request(head, body);
    }
  });
}

/** Waits until `holds`, at most 3 s. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 3_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not so after 3 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
