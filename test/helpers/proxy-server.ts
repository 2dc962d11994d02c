import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Pair } from './certificates.ts';

/** A real proxy: HTTP (CONNECT and whole URLs), with TLS if it has a certificate, or SOCKS5. Leads where it is told to. */
export interface ProxyServer extends AsyncDisposable {
  readonly port: number;
  /** `host:port` of each request or tunnel, in the order they came. */
  readonly asked: string[];
  /** The user name of each request or tunnel, in the order they came; '' without one. */
  readonly users: string[];
  /** Connections taken so far. */
  readonly connections: () => number;
  /** Connections that are open. */
  readonly open: () => number;
  /** What its clients sent and were sent so far, above TCP: TLS with the proxy counts. */
  readonly bytes: () => { readonly sent: number; readonly received: number };
  close(): Promise<void>;
}

export interface ProxyServerOptions {
  readonly kind?: 'http' | 'socks';
  readonly auth?: readonly [username: string, password: string];
  readonly tls?: Pair;
  /** Does this instead of what a proxy does, with the first bytes of each connection. */
  readonly hostile?: (socket: Socket, first: Buffer) => void;
  /** Names that the proxy knows. */
  readonly names?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** Where it listens; default 127.0.0.1. */
  readonly host?: string;
  /** The own address that it goes out from. */
  readonly from?: string;
}

export async function startProxy(options: ProxyServerOptions = {}): Promise<ProxyServer> {
  const asked: string[] = [];
  const users: string[] = [];
  const sockets = new Set<Socket>();
  /** Below TLS; they keep their counts when they are closed. */
  const wires: Socket[] = [];
  let taken = 0;
  const take = (socket: Socket) => {
    taken++;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (options.hostile !== undefined)
      socket.once('data', (first: Buffer) => options.hostile!(socket, first));
    else if (options.kind === 'socks') void serveSocks(socket, options, { asked, users });
    else void serveHttp(socket, options, { asked, users });
  };
  const server: Server =
    options.tls === undefined ? createServer(take) : createTlsServer({ ...options.tls }, take);
  server.on('tlsClientError', () => {});
  server.on('connection', (wire: Socket) => wires.push(wire));
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  };
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    users,
    connections: () => taken,
    open: () => sockets.size,
    bytes: () => ({
      sent: wires.reduce((sum, wire) => sum + wire.bytesRead, 0),
      received: wires.reduce((sum, wire) => sum + wire.bytesWritten, 0),
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Hands out bytes of a socket as they are asked for. */
function reader(socket: Socket) {
  let come = Buffer.alloc(0);
  let wake = () => {};
  let over = false;
  const onData = (piece: Buffer) => {
    come = Buffer.concat([come, piece]);
    wake();
  };
  socket.on('data', onData);
  socket.on('close', () => {
    over = true;
    wake();
  });
  const until = async (has: (bytes: Buffer) => number): Promise<Buffer | null> => {
    for (;;) {
      const length = has(come);
      if (length > 0) {
        const taken = come.subarray(0, length);
        come = come.subarray(length);
        return taken;
      }
      if (over) return null;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    until,
    bytes: (count: number) => until((have) => (have.length >= count ? count : 0)),
    rest() {
      socket.removeListener('data', onData);
      return come;
    },
  };
}

async function serveHttp(
  socket: Socket,
  { auth, names = {}, from }: ProxyServerOptions,
  { asked, users }: Pick<ProxyServer, 'asked' | 'users'>,
): Promise<void> {
  const input = reader(socket);
  const bytes = await input.until((have) => {
    const at = have.indexOf('\r\n\r\n');
    return at === -1 ? 0 : at + 4;
  });
  if (bytes === null) return;
  const head = bytes.toString('latin1');
  const wanted = auth === undefined ? null : `Basic ${Buffer.from(auth.join(':')).toString('base64')}`;
  const given = /^proxy-authorization: (.*)$/im.exec(head)?.[1]?.trim() ?? null;
  if (wanted !== null && given !== wanted) {
    socket.end(
      'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 6\r\n\r\ndenied',
    );
    return;
  }
  const [method, target] = head.split(' ') as [string, string];
  const url = new URL(method === 'CONNECT' ? `http://${target}` : target);
  const port = Number(url.port || 80);
  asked.push(`${url.hostname}:${port}`);
  users.push(userOf(head));
  const host = names[url.hostname] ?? url.hostname;
  const out = connect({ host, port, localAddress: from });
  join(socket, out);
  out.on('error', () => socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'));
  if (method === 'CONNECT')
    out.on('connect', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
  else {
    // A connection of its own for each target: what follows on it is for the same one.
    const forward = (text: string) =>
      text.replace(/^(\S+) http:\/\/[^/ ]+(\S*)/, '$1 $2').replace(/\r\nproxy-authorization: [^\r\n]*/i, '');
    out.write(forward(head), 'latin1');
    const pass = (piece: Buffer) => {
      const text = piece.toString('latin1');
      if (/^[A-Z]+ http:/.test(text)) {
        asked.push(`${url.hostname}:${port}`);
        users.push(userOf(text));
      }
      out.write(forward(text), 'latin1');
    };
    const rest = input.rest();
    if (rest.length > 0) pass(rest);
    socket.on('data', pass);
    out.pipe(socket);
    return;
  }
  const rest = input.rest();
  if (rest.length > 0) out.write(rest);
  socket.pipe(out).pipe(socket);
}

function userOf(head: string): string {
  const given = /^proxy-authorization: Basic (\S+)/im.exec(head)?.[1];
  return given === undefined ? '' : Buffer.from(given, 'base64').toString().split(':', 1)[0]!;
}

async function serveSocks(
  socket: Socket,
  { auth, names = {}, from }: ProxyServerOptions,
  { asked, users }: Pick<ProxyServer, 'asked' | 'users'>,
): Promise<void> {
  const input = reader(socket);
  const methods = await input.bytes(2).then((two) => two && input.bytes(two[1]!));
  if (!methods) return;
  const method = auth === undefined ? 0 : 2;
  if (!methods.includes(method)) {
    socket.end(Buffer.from([5, 0xff]));
    return;
  }
  socket.write(Buffer.from([5, method]));
  let user = '';
  if (auth !== undefined) {
    const name = await input.bytes(2).then((two) => two && input.bytes(two[1]!));
    const word = await input.bytes(1).then((one) => one && input.bytes(one[0]!));
    user = name?.toString() ?? '';
    const good = name?.toString() === auth[0] && word?.toString() === auth[1];
    socket.write(Buffer.from([1, good ? 0 : 1]));
    if (!good) return void socket.end();
  }
  const request = await input.bytes(4);
  if (request === null) return;
  const host = await readHost(input, request[3]!);
  const port = (await input.bytes(2))?.readUInt16BE() ?? 0;
  asked.push(`${host}:${port}`);
  users.push(user);
  const out = connect({ host: names[host] ?? host, port, localAddress: from });
  join(socket, out);
  out.on('error', () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
  out.on('connect', () => {
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    const rest = input.rest();
    if (rest.length > 0) out.write(rest);
    socket.pipe(out).pipe(socket);
  });
}

async function readHost(input: ReturnType<typeof reader>, type: number): Promise<string> {
  if (type === 1) return Array.from((await input.bytes(4)) ?? []).join('.');
  if (type === 3) {
    const length = (await input.bytes(1))?.[0] ?? 0;
    return (await input.bytes(length))?.toString('latin1') ?? '';
  }
  const bytes = (await input.bytes(16)) ?? Buffer.alloc(16);
  return Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16)).join(':');
}

function join(one: Socket, other: Socket): void {
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroySoon());
}
