import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { systemClock } from '../../src/base/time.ts';
import { createEgress } from '../../src/egress/egress.ts';
import type { GatewayPolicy } from '../../src/egress/gateway/gateway.ts';
import { startDnsServer } from '../site/dns-server.ts';

export const OPEN: GatewayPolicy = { signal: new AbortController().signal, allowUrl: null };

/** A gateway with one slot, an egress that may reach 127.0.0.1 alone, and a name server. */
export async function openWorld(t: TestContext) {
  const dns = await startDnsServer();
  const egress = createEgress({
    allow: ['127.0.0.1'],
    dnsServers: [dns.address],
    hostsFile: '/nonexistent',
    clock: systemClock,
  });
  const gateway = egress.openGateway();
  t.after(async () => {
    await gateway.close();
    egress.close();
    await dns.close();
  });
  return { dns, egress, gateway, slot: await gateway.openSlot() };
}

/** A target that does with each connection as it is told; ended with the test. */
export async function target(t: TestContext, serve: (socket: Socket) => void, host = '127.0.0.1') {
  const open = new Set<Socket>();
  let accepted = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    accepted++;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    serve(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  t.after(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, open, accepted: () => accepted };
}

/** Says `answer` whenever an empty line has come in; keeps all that came in `seen`. */
export async function answering(t: TestContext, answer: string) {
  const seen: string[] = [];
  const made = await target(t, (socket) => {
    let text = '';
    const mine = seen.push('') - 1;
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      seen[mine] += piece.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        text = text.slice(end + 4);
        socket.write(answer, 'latin1');
      }
    });
    socket.on('end', () => socket.end());
  });
  return { ...made, seen };
}

/** The engine's side of a connection, by hand. */
export class Line {
  readonly socket: Socket;
  /** One character a byte. */
  received = '';
  /** The other side has no more to say, or broke off. */
  ended = false;
  closed = false;
  error: string | null = null;

  constructor(port: number, { paused = false, halfOpen = false } = {}) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: halfOpen, noDelay: true });
    if (!paused) this.listen();
    this.socket.on('end', () => {
      this.ended = true;
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      this.error = error.code ?? 'unknown';
    });
    this.socket.on('close', () => {
      this.closed = true;
      this.ended = true;
    });
  }

  listen(): void {
    this.socket.on('data', (piece) => {
      this.received += piece.toString('latin1');
    });
  }

  write(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Settles when the condition holds; the time is only that of a test that fails. */
  async until(holds: (line: Line) => boolean, ms = 5000): Promise<this> {
    await until(
      () => holds(this),
      ms,
      () => JSON.stringify(this.received.slice(-500)),
    );
    return this;
  }

  /** Waits until so much has come, or as much as a text is long. */
  got(what: number | string): Promise<this> {
    return this.until(({ received }) =>
      typeof what === 'number' ? received.length >= what : received.includes(what),
    );
  }
}

export async function until(holds: () => boolean, ms = 5000, tell = () => ''): Promise<void> {
  const began = performance.now();
  while (!holds()) {
    if (performance.now() - began > ms) throw new Error(`waited for ${ms} ms: ${tell()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

export async function tunnel(
  slotPort: number,
  place: string,
  options?: { paused?: boolean; halfOpen?: boolean },
): Promise<Line> {
  const line = await new Line(slotPort, options)
    .write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`)
    .got(ESTABLISHED);
  line.received = line.received.slice(ESTABLISHED.length);
  return line;
}
