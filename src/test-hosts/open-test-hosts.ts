import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import {
  type Issuer,
  leafCertificate,
  newAuthority,
  newKeyPair,
  newServerCertificate,
  pemOf,
} from '../base/certificate.ts';
import type { Clock } from '../base/time.ts';
import { type Failure, type FailureCode, failure } from '../domain/failure.ts';
import { TEST_DOMAIN } from '../domain/test-hosts.ts';
import { parseAddress } from '../egress/address.ts';
import { ADDRESS_REFUSED } from '../egress/address-policy.ts';
import { connectFailure } from '../egress/connect-failure.ts';
import type { ConnectRequest, ConnectResult } from '../egress/connect-request.ts';
import { dial } from '../egress/dial.ts';
import type { TestHosts } from '../egress/egress.ts';
import { sendReply } from './reply.ts';

/** The servers of the test hosts, which listen from the first connection on. */
export interface OpenTestHosts extends TestHosts {
  /** The authority that has issued the certificates of the test hosts, as PEM. It can vouch for nothing else. */
  readonly ca: string;
  /** Of the key of all test hosts but those that stand for a wrong certificate: SHA-256, base64. */
  readonly keyHash: string;
  close(): Promise<void>;
}

/** Registers a listener of this process, so that no other scrape may connect to it. @returns call it when it is closed */
type AddOwnListener = (address: string, port: number) => () => void;

const LOOPBACK = '127.0.0.1';
const CONNECT_MS = 10_000;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const MAX_BODY = 64 * 1024;

/** Failures before HTTP, by the name of the host that causes them: the code with hyphens. */
const FAILING: Readonly<Record<string, FailureCode>> = {
  'dns-not-found': 'dns.not_found',
  'dns-failed': 'dns.failed',
  'connect-refused': 'connect.refused',
  'connect-reset': 'connect.reset',
  'connect-timeout': 'connect.timeout',
  'connect-unreachable': 'connect.unreachable',
  'policy-address': 'policy.address',
};

const nameOf = (host: string): string => host.replace(/\.$/, '').slice(0, -TEST_DOMAIN.length - 1);

/** The failure that a host stands for, without waiting; null: it answers. */
function failureOf(host: string): Failure | null {
  const code = FAILING[nameOf(host)];
  if (code === 'policy.address') return ADDRESS_REFUSED;
  return code === undefined ? null : failure(code, `${host} is the test host for this failure.`);
}

/** @param clock for the certificates */
export function openTestHosts(clock: Clock, addOwnListener: AddOwnListener): OpenTestHosts {
  const now = clock.now();
  const authority = newAuthority('Sluice test hosts', now - WRONG_MS, TEST_DOMAIN);
  const {
    key,
    certificate: cert,
    keyHash,
  } = newServerCertificate([TEST_DOMAIN, `*.${TEST_DOMAIN}`], authority, now);
  const contexts = wrongContexts(authority, now);
  const closing = new AbortController();
  const listeners: Record<number, () => Server> = {
    [HTTP_PORT]: () => createServer({ keepAliveTimeout: 5_000 }, answer(closing.signal)),
    [HTTPS_PORT]: () =>
      createTlsServer(
        {
          ...{ key, cert, keepAliveTimeout: 5_000 },
          SNICallback: (name, done) => done(null, contexts(name) ?? undefined),
        },
        answer(closing.signal),
      ),
  };
  const open = new Map<number, Promise<OpenListener>>();
  const listening = (port: number): Promise<OpenListener> | null => {
    const create = listeners[port];
    if (create === undefined || closing.signal.aborted) return null;
    let opening = open.get(port);
    if (opening === undefined) {
      opening = listen(create(), addOwnListener);
      open.set(port, opening);
    }
    return opening;
  };
  return {
    ca: authority.certificate,
    keyHash,
    refusal: (host) => (nameOf(host).startsWith('dns-') ? failureOf(host) : null),
    async connect(request) {
      const cause = await failing(request);
      if (cause !== null) return failedConnect(cause);
      const { host, port, signal, onSharedRead } = request;
      const target = `${host}:${port}`;
      const listener = await listening(port);
      if (listener === null) return failedConnect(connectFailure('ECONNREFUSED', target));
      const began = clock.monotonic();
      const dialled = await dial({
        ...{ addresses: [parseAddress(LOOPBACK)!], port: listener.port, target, limitMs: CONNECT_MS, signal },
        ...(onSharedRead === undefined ? {} : { onSharedRead }),
      });
      if (dialled.failure !== null) return failedConnect(dialled.failure);
      return {
        ...{ failure: null, socket: dialled.socket, remoteIp: LOOPBACK, dnsMs: null },
        connectMs: clock.monotonic() - began,
      };
    },
    async close() {
      closing.abort();
      for (const opening of open.values()) (await opening).close();
    },
  };
}

const failedConnect = (cause: Failure): ConnectResult => ({ failure: cause, socket: null, dnsMs: null });

/** What the host stands for, after the time that it takes. */
async function failing({ host, signal }: Pick<ConnectRequest, 'host' | 'signal'>): Promise<Failure | null> {
  const cause = failureOf(host);
  if (cause?.code === 'connect.timeout') await sleep(CONNECT_MS, undefined, { signal }).catch(() => {});
  return cause;
}

interface OpenListener {
  readonly port: number;
  close(): void;
}

async function listen(server: Server, addOwnListener: AddOwnListener): Promise<OpenListener> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const removeOwnListener = addOwnListener(LOOPBACK, port);
  server.unref();
  return {
    port,
    close() {
      removeOwnListener();
      server.close();
      (server as ReturnType<typeof createServer>).closeAllConnections();
    },
  };
}

const answer =
  (closing: AbortSignal): RequestListener =>
  (message, response) => {
    void handle(message, response, closing).catch(() => response.destroy());
  };

async function handle(
  message: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const { headers, rawHeaders, method = 'GET', url = '/' } = message;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const scheme = 'encrypted' in message.socket ? 'https' : 'http';
  const target = URL.parse(`${scheme}://${headers.host ?? TEST_DOMAIN}${url}`);
  if (target === null) return sendReply(response, { status: 400, body: 'Bad request', type: 'text/plain' });
  // Loaded by the first request: most services never get one.
  const { respond } = await import('./pages.ts');
  const reply = await respond({
    ...{ url: target, method, headers, rawHeaders, groups: [], body: await readBody(message) },
    signal: AbortSignal.any([gone.signal, closing]),
  });
  if (typeof reply === 'function') reply(response);
  else sendReply(response, reply);
}

/** The first `MAX_BODY` bytes; the rest is read and dropped. */
async function readBody(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    if (size < MAX_BODY) pieces.push(piece);
    size += piece.length;
  }
  return Buffer.concat(pieces).subarray(0, MAX_BODY);
}

/** How long a certificate that is no longer valid was made ago. */
const WRONG_MS = 365 * 86_400_000;

/** Certificates that no client may accept, by the name of the host, each made when it is needed. */
function wrongContexts(authority: Issuer, now: number): (host: string) => SecureContext | null {
  const leaf = (host: string, issuer: Issuer, at = now) => {
    const { publicKey, privateKey } = newKeyPair();
    return createSecureContext({
      key: pemOf(privateKey),
      cert: leafCertificate([host], publicKey, issuer, at),
    });
  };
  const kinds: Readonly<Record<string, (host: string) => SecureContext>> = {
    'tls-expired': (host) => leaf(host, authority, now - WRONG_MS),
    'tls-hostname': () => leaf(`other.${TEST_DOMAIN}`, authority),
    'tls-untrusted': (host) => leaf(host, newAuthority('Sluice stranger', now)),
    'tls-self-signed': () => {
      const { key, certificate } = newAuthority('Sluice stranger', now);
      return createSecureContext({ key: pemOf(key), cert: certificate });
    },
  };
  const made = new Map<string, SecureContext>();
  return (host) => {
    const create = kinds[nameOf(host)];
    if (create === undefined) return null;
    const context = made.get(host) ?? create(host);
    made.set(host, context);
    return context;
  };
}
