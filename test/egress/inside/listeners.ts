import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createConnection, createServer as createTcpServer } from 'node:net';

/** Listeners on many ports, TCP and UDP, that count whoever comes. */
export interface Canary extends AsyncDisposable {
  /** Connections and datagrams, by port. */
  readonly hits: ReadonlyMap<number, number>;
  reset(): void;
}

/** What speaks HTTP there is answered with something that fits all kinds of requests. */
export async function startCanary(hosts: readonly string[], ports: readonly number[]): Promise<Canary> {
  const hits = new Map<number, number>();
  const hit = (port: number) => void hits.set(port, (hits.get(port) ?? 0) + 1);
  const answering = createServer((_, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end('0');
  });
  const stop: (() => unknown)[] = [];
  for (const [host, port] of hosts.flatMap((host) => ports.map((port) => [host, port] as const))) {
    const tcp = createTcpServer((socket) => {
      hit(port);
      socket.on('error', () => {});
      answering.emit('connection', socket);
    });
    tcp.listen(port, host);
    const udp = createSocket('udp4').on('message', () => hit(port));
    udp.bind(port, host);
    await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
    stop.push(
      () => tcp.close(),
      () => udp.close(),
    );
  }
  return {
    hits,
    reset: () => hits.clear(),
    async [Symbol.asyncDispose]() {
      for (const one of stop) one();
      answering.closeAllConnections();
    },
  };
}

/** Whether somebody comes when it is called: a canary that counts nothing proves nothing. */
export async function ring(host: string, port: number): Promise<void> {
  const socket = createConnection({ host, port });
  await once(socket, 'connect');
  socket.destroy();
  const udp = createSocket('udp4');
  await new Promise<void>((resolve) => udp.send('a', port, host, () => resolve()));
  udp.close();
}
