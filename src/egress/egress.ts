import type { Clock } from '../base/time.ts';
import { bypassesProxy } from '../base/url-patterns.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Address } from './address.ts';
import { ADDRESS_REFUSED, type AddressPolicy, createAddressPolicy } from './address-policy.ts';
import { connectFailure } from './connect-failure.ts';
import type { ConnectRequest, ConnectResult } from './connect-request.ts';
import { dial, dialOrder } from './dial.ts';
import { createDnsClient, type DnsError, type Resolution } from './dns-client.ts';
import { createGateway } from './gateway/create-gateway.ts';
import type { Gateway, GatewayLimits } from './gateway/gateway.ts';
import { createHostsFile } from './hosts-file.ts';
import { createResolver } from './resolver.ts';
import { connectThrough, type JudgedTarget } from './upstream/connect-through.ts';

/** The only way out of the process. Judges every address at the moment of the connection. */
export interface Egress {
  connect(ask: ConnectRequest): Promise<ConnectResult>;
  /**
   * Why `connect` would not even try: the address is not allowed, or the name stands for none. null: it would. Opens nothing;
   * never rejects.
   */
  judge(ask: ConnectRequest): Promise<Failure | null>;
  /**
   * Tells a socket of our own that is listening, so that scrapes never reach it (contract: own listeners). What it
   * returns is called when it listens no more.
   */
  addOwnListener(address: string, port: number): () => void;
  /**
   * A way out for engines that own their sockets. Opens nothing yet; closed by the caller.
   * @param limits of each slot; default: those of a browser
   */
  openGateway(limits?: GatewayLimits): Gateway;
  close(): void;
}

export interface EgressOptions {
  /** CIDRs outside public space that may be reached. */
  readonly allow: readonly string[];
  /** `address` or `address:port` each; null: those of the system. */
  readonly dnsServers: readonly string[] | null;
  /** Default `/etc/hosts`. */
  readonly hostsFile?: string;
  /** Certificates (PEM) that proxies with TLS may have theirs from, beside the authorities of Node. */
  readonly ca?: readonly string[] | null;
  readonly clock: Clock;
}

/** From the beginning of `connect`, the look-up included. */
const CONNECT_MS = 10_000;

/** Throws for a CIDR or name server that is none. Holds nothing open between connections but caches. */
export function createEgress({
  allow,
  dnsServers,
  hostsFile: hostsPath = '/etc/hosts',
  ca = null,
  clock,
}: EgressOptions): Egress {
  const policy = createAddressPolicy(allow, clock);
  const client = createDnsClient(dnsServers, clock);
  const resolver = createResolver({ client, hosts: createHostsFile(hostsPath, clock), clock });
  let closed = false;

  /** @param judged whether the address policy counts; own listeners are never reached */
  const direct = async (
    { host, port, signal, takeRead }: ConnectRequest,
    judged: boolean,
  ): Promise<ConnectResult> => {
    const began = clock.monotonic();
    let resolution = resolver.resolveLocally(host);
    let dialAt = began;
    let dnsMs: number | null = null;
    if (resolution === null) {
      resolution = await resolver.resolve(host, signal);
      dialAt = clock.monotonic();
      dnsMs = dialAt - began;
    }
    if (resolution.trouble !== null) return failedConnect(dnsFailure(resolution.trouble, host), dnsMs);
    const open = judged
      ? permittedAddresses(policy, resolution, port)
      : withoutOwnListeners(policy, resolution, port);
    if (open === null) return failedConnect(ADDRESS_REFUSED, dnsMs);
    const target = `${host}:${port}`;
    // Nothing can listen on port 0; the system would choose one.
    if (port < 1 || port > 65_535) return failedConnect(connectFailure('ECONNREFUSED', target), dnsMs);
    const end = await dial({
      addresses: dialOrder(open),
      port,
      target,
      limitMs: Math.max(1, CONNECT_MS - (dialAt - began)),
      signal,
      takeRead,
    });
    if (end.failure !== null) return failedConnect(end.failure, dnsMs);
    const connectMs = clock.monotonic() - dialAt;
    return { failure: null, socket: end.socket, remoteIp: end.address.text, dnsMs, connectMs };
  };

  /** What our own look-up says of a target that a proxy is asked for: a name is judged before it leaves. */
  const judge = async ({ host, port, signal }: ConnectRequest): Promise<JudgedTarget> => {
    const resolution = resolver.resolveLocally(host) ?? (await resolver.resolve(host, signal));
    const { trouble } = resolution;
    if (trouble !== null)
      return { failure: dnsFailure(trouble, host), certain: trouble.reason === 'bad_name' };
    const open = permittedAddresses(policy, resolution, port);
    return open === null
      ? { failure: ADDRESS_REFUSED, certain: true }
      : { failure: null, addresses: dialOrder(open) };
  };

  const egress: Egress = {
    async connect(ask: ConnectRequest): Promise<ConnectResult> {
      if (closed) return failedConnect(failure('service.unavailable', 'The service is shutting down.'), null);
      const { upstream } = ask;
      if (upstream == null || bypassesProxy(upstream.bypass, ask.host, ask.port)) return direct(ask, true);
      return connectThrough(ask, upstream, { direct, judge, ca, clock });
    },
    async judge(ask: ConnectRequest): Promise<Failure | null> {
      const judged = await judge(ask);
      if (judged.failure === null) return null;
      const { upstream } = ask;
      const isDirect = upstream == null || bypassesProxy(upstream.bypass, ask.host, ask.port);
      // What only our own look-up says, a proxy may know better.
      return isDirect || judged.certain ? judged.failure : null;
    },
    addOwnListener: (address, port) => policy.ownListeners.add(address, port),
    openGateway: (limits) =>
      createGateway({
        dial: egress.connect,
        addOwnListener: (address, port) => policy.ownListeners.add(address, port, true),
        ...limits,
      }),
    close() {
      closed = true;
      resolver.close();
    },
  };
  return egress;
}

function failedConnect(why: Failure, dnsMs: number | null): ConnectResult {
  return { failure: why, socket: null, dnsMs };
}

/** The addresses that may be tried, or null: one forbidden address spoils what a name server says. */
function permittedAddresses(
  policy: AddressPolicy,
  { addresses, from }: Extract<Resolution, { trouble: null }>,
  port: number,
): readonly Address[] | null {
  const some = addresses.filter((address) => policy.permits(address, port));
  if (some.length === 0 || (from === 'outside' && some.length < addresses.length)) return null;
  return some;
}

/** An operator's proxy may be anywhere but at a listener of our own. */
function withoutOwnListeners(
  policy: AddressPolicy,
  { addresses }: Extract<Resolution, { trouble: null }>,
  port: number,
): readonly Address[] | null {
  const some = addresses.filter((address) => !policy.ownListeners.covers(address, port));
  return some.length === 0 ? null : some;
}

function dnsFailure({ code, reason }: DnsError, host: string): Failure {
  const message =
    code === 'dns.not_found'
      ? `The host name ${host} does not exist.`
      : `The host name ${host} could not be resolved: the name servers did not respond, or failed.`;
  return failure(code, message, { details: { reason } });
}
