import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { KeyPair } from './certificates.ts';

/** A working proxy: HTTP (CONNECT and absolute URLs), over TLS if it has a certificate, or SOCKS5. */
export interface ProxyServer extends AsyncDisposable {
  readonly port: number;
  /** `host:port` of each request or tunnel, in the order of arrival. */
  readonly targets: string[];
  /** The user name of each request or tunnel, in the order of arrival; '' without one. */
  readonly users: string[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** Open connections. */
  readonly open: () => number;
  /** Bytes that clients have sent and received so far over TCP, including TLS with the proxy. */
  readonly bytes: () => { readonly sent: number; readonly received: number };
  close(): Promise<void>;
}

export interface ProxyServerOptions {
  readonly kind?: 'http' | 'socks';
  readonly auth?: readonly [username: string, password: string];
  readonly tls?: KeyPair;
  /** Called with the first bytes of each connection, in place of the behaviour of a proxy. */
  readonly hostile?: (socket: Socket, first: Buffer) => void;
  /** Host names that the proxy resolves itself, with their addresses. */
  readonly names?: Readonly<Record<string, string>>;
  /** Default: any free port. */
  readonly port?: number;
  /** Address that it listens on; default 127.0.0.1. */
  readonly host?: string;
  /** Local address of its outgoing connections. */
  readonly from?: string;
}

export async function startProxy(options: ProxyServerOptions = {}): Promise<ProxyServer> {
  const targets: string[] = [];
  const users: string[] = [];
  const sockets = new Set<Socket>();
  /** The TCP sockets, below TLS. They keep their byte counts after they are closed. */
  const tcpSockets: Socket[] = [];
  let accepted = 0;
  const accept = (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (options.hostile !== undefined)
      socket.once('data', (first: Buffer) => options.hostile!(socket, first));
    else if (options.kind === 'socks') void serveSocks(socket, options, { targets, users });
    else void serveHttp(socket, options, { targets, users });
  };
  const server: Server =
    options.tls === undefined ? createServer(accept) : createTlsServer({ ...options.tls }, accept);
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => tcpSockets.push(socket));
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
    targets,
    users,
    connections: () => accepted,
    open: () => sockets.size,
    bytes: () => ({
      sent: tcpSockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
      received: tcpSockets.reduce((sum, socket) => sum + socket.bytesWritten, 0),
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Reads a socket piece by piece. */
function reader(socket: Socket) {
  let buffered = Buffer.alloc(0);
  let wake = () => {};
  let closed = false;
  const onData = (piece: Buffer) => {
    buffered = Buffer.concat([buffered, piece]);
    wake();
  };
  socket.on('data', onData);
  socket.on('close', () => {
    closed = true;
    wake();
  });
  /** Waits until `lengthOf` the buffered bytes is above 0, and returns so many; null: the socket was closed before. */
  const until = async (lengthOf: (bytes: Buffer) => number): Promise<Buffer | null> => {
    for (;;) {
      const length = lengthOf(buffered);
      if (length > 0) {
        const piece = buffered.subarray(0, length);
        buffered = buffered.subarray(length);
        return piece;
      }
      if (closed) return null;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    until,
    bytes: (count: number) => until((received) => (received.length >= count ? count : 0)),
    /** Stops reading, and returns the buffered bytes. */
    rest() {
      socket.removeListener('data', onData);
      return buffered;
    },
  };
}

async function serveHttp(
  socket: Socket,
  { auth, names = {}, from }: ProxyServerOptions,
  { targets, users }: Pick<ProxyServer, 'targets' | 'users'>,
): Promise<void> {
  const input = reader(socket);
  const bytes = await input.until((received) => {
    const end = received.indexOf('\r\n\r\n');
    return end === -1 ? 0 : end + 4;
  });
  if (bytes === null) return;
  const head = bytes.toString('latin1');
  const expected = auth === undefined ? null : `Basic ${Buffer.from(auth.join(':')).toString('base64')}`;
  const actual = /^proxy-authorization: (.*)$/im.exec(head)?.[1]?.trim() ?? null;
  if (expected !== null && actual !== expected) {
    socket.end(
      'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 6\r\n\r\ndenied',
    );
    return;
  }
  const [method, target] = head.split(' ') as [string, string];
  const url = new URL(method === 'CONNECT' ? `http://${target}` : target);
  const port = Number(url.port || 80);
  targets.push(`${url.hostname}:${port}`);
  users.push(userOf(head));
  const host = names[url.hostname] ?? url.hostname;
  const outgoing = connect({ host, port, localAddress: from });
  closeTogether(socket, outgoing);
  outgoing.on('error', () => socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'));
  if (method === 'CONNECT')
    outgoing.on('connect', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
  else {
    // Further requests on this connection go to the first one's target: our clients use a connection for one target only.
    const toOriginForm = (text: string) =>
      text.replace(/^(\S+) http:\/\/[^/ ]+(\S*)/, '$1 $2').replace(/\r\nproxy-authorization: [^\r\n]*/i, '');
    outgoing.write(toOriginForm(head), 'latin1');
    const forward = (piece: Buffer) => {
      const text = piece.toString('latin1');
      if (/^[A-Z]+ http:/.test(text)) {
        targets.push(`${url.hostname}:${port}`);
        users.push(userOf(text));
      }
      outgoing.write(toOriginForm(text), 'latin1');
    };
    const rest = input.rest();
    if (rest.length > 0) forward(rest);
    socket.on('data', forward);
    outgoing.pipe(socket);
    return;
  }
  const rest = input.rest();
  if (rest.length > 0) outgoing.write(rest);
  socket.pipe(outgoing).pipe(socket);
}

function userOf(head: string): string {
  const credentials = /^proxy-authorization: Basic (\S+)/im.exec(head)?.[1];
  return credentials === undefined ? '' : Buffer.from(credentials, 'base64').toString().split(':', 1)[0]!;
}

/** SOCKS5 (RFC 1928) with CONNECT only, and authentication by user name and password (RFC 1929). */
async function serveSocks(
  socket: Socket,
  { auth, names = {}, from }: ProxyServerOptions,
  { targets, users }: Pick<ProxyServer, 'targets' | 'users'>,
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
    const password = await input.bytes(1).then((length) => length && input.bytes(length[0]!));
    user = name?.toString() ?? '';
    const accepted = name?.toString() === auth[0] && password?.toString() === auth[1];
    socket.write(Buffer.from([1, accepted ? 0 : 1]));
    if (!accepted) return void socket.end();
  }
  const request = await input.bytes(4);
  if (request === null) return;
  const host = await readHost(input, request[3]!);
  const port = (await input.bytes(2))?.readUInt16BE() ?? 0;
  targets.push(`${host}:${port}`);
  users.push(user);
  const outgoing = connect({ host: names[host] ?? host, port, localAddress: from });
  closeTogether(socket, outgoing);
  outgoing.on('error', () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
  outgoing.on('connect', () => {
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    const rest = input.rest();
    if (rest.length > 0) outgoing.write(rest);
    socket.pipe(outgoing).pipe(socket);
  });
}

/** The address of a request. @param type 1: IPv4, 3: a name, 4: IPv6 */
async function readHost(input: ReturnType<typeof reader>, type: number): Promise<string> {
  if (type === 1) return Array.from((await input.bytes(4)) ?? []).join('.');
  if (type === 3) {
    const length = (await input.bytes(1))?.[0] ?? 0;
    return (await input.bytes(length))?.toString('latin1') ?? '';
  }
  const bytes = (await input.bytes(16)) ?? Buffer.alloc(16);
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

/** Closes each socket with the other; what the target has sent still goes to the client. */
function closeTogether(client: Socket, target: Socket): void {
  client.on('close', () => target.destroy());
  target.on('close', () => client.destroySoon());
}
