import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { ClientConnection } from './client-connection.ts';
import type { GatewayDial, GatewayPolicy, GatewaySession } from './gateway.ts';
import { SlotSession } from './gateway-session.ts';
import { HeadScanner } from './message-scanner.ts';

/**
 * The gateway for clients on other machines: an HTTP proxy on one address, for all scrapes. Each session has credentials of
 * its own, by which a connection is known; without them it gets a 407.
 */
export interface Guard {
  /** Begins a session for one scrape. Its credentials are valid until it ends. */
  begin(policy: GatewayPolicy): GuardSession;
  /** Ends all sessions and closes the listener; settles when all sockets are closed. */
  close(): Promise<void>;
}

export interface GuardCredentials {
  readonly username: string;
  readonly password: string;
}

export interface GuardSession {
  readonly gateway: GatewaySession;
  readonly credentials: GuardCredentials;
}

export interface GuardDeps {
  readonly host: string;
  readonly port: number;
  readonly dial: GatewayDial;
  /** Registers a listener of this process. @returns removes it */
  readonly addOwnListener: (address: string, port: number) => () => void;
}

const USERNAME = 'scrape';
const TOKEN_BYTES = 24;
/** How long a client may take to send its first request, which has the credentials. */
const HEAD_MS = 30_000;
/** In characters, as much as `ClientConnection` accepts. */
const MAX_HEAD_LENGTH = 2 * 1024 * 1024;
/** Connections that have not sent a request yet. Limits the memory that strangers can use. */
const MAX_UNKNOWN = 256;
/** Over all sessions. A browser opens fewer than 50 for ordinary pages. */
const MAX_CONNECTIONS = 10_000;
/** The longest time that a scrape may take, so no running scrape uses a connection that was idle for so long. */
const IDLE_MS = 300_000;
const UNAUTHORIZED =
  'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="sluice"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** Rejects with the error of the system when it cannot listen. */
export async function openGuard({ host, port, dial, addOwnListener }: GuardDeps): Promise<Guard> {
  /** By token. */
  const sessions = new Map<string, SlotSession>();
  const unknownClients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (unknownClients.size >= MAX_UNKNOWN) return void client.destroy();
    unknownClients.add(client);
    readFirstHead(client, (head) => {
      unknownClients.delete(client);
      const session = head === null ? undefined : sessions.get(tokenOf(head.text) ?? '');
      if (session !== undefined && !session.stopped) {
        client.setTimeout(IDLE_MS, () => client.destroy());
        client.unshift(head!.bytes);
        new ClientConnection(client, session);
        client.resume();
      } else if (head !== null) client.end(UNAUTHORIZED, () => client.destroySoon());
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');
  // After `listening` an error means that a connection could not be accepted, for lack of descriptors.
  server.on('error', () => {});
  const removeOwnListener = addOwnListener(host, port);
  return {
    begin(policy) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const gateway = new SlotSession(policy, dial, () => sessions.delete(token));
      sessions.set(token, gateway);
      return { gateway, credentials: { username: USERNAME, password: token } };
    },
    async close() {
      for (const client of unknownClients) client.destroy();
      await Promise.all([closeServer(server), ...Array.from(sessions.values(), (one) => one.end())]);
      removeOwnListener();
    },
  };
}

/** @param onHead called once: with the first head and all bytes received so far; null: the client left, or sent no head in time */
function readFirstHead(client: Socket, onHead: (head: { text: string; bytes: Buffer } | null) => void): void {
  const scanner = new HeadScanner(MAX_HEAD_LENGTH);
  let bytes = Buffer.alloc(0);
  const stop = () => {
    clearTimeout(timer);
    client.off('data', onData).off('close', onClose);
    client.pause();
  };
  const onData = (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    const end = scanner.feed(piece, 0);
    if (scanner.tooLong) return void client.destroy();
    if (end === -1) return;
    stop();
    onHead({ text: scanner.take(), bytes });
  };
  const onClose = () => {
    stop();
    onHead(null);
  };
  const timer = setTimeout(() => client.destroy(), HEAD_MS);
  client.on('error', () => {});
  client.on('data', onData).on('close', onClose);
}

/** The password of the `Proxy-Authorization` (RFC 7617); null: there is none. */
function tokenOf(head: string): string | null {
  const value = /^proxy-authorization:[ \t]*basic[ \t]+([A-Za-z0-9+/]+={0,2})[ \t]*$/im.exec(head)?.[1];
  if (value === undefined) return null;
  const [username, password] = Buffer.from(value, 'base64').toString('latin1').split(':');
  return username === USERNAME ? (password ?? null) : null;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
