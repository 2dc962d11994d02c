import type { Clock } from '../base/time.ts';
import { bypassesProxy } from '../base/url-patterns.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Upstream } from '../domain/proxy.ts';
import { isTestHost } from '../domain/test-hosts.ts';
import type { Address } from './address.ts';
import { ADDRESS_REFUSED, type AddressPolicy, createAddressPolicy } from './address-policy.ts';
import { connectFailure } from './connect-failure.ts';
import type { ConnectRequest, ConnectResult } from './connect-request.ts';
import { dial, dialOrder } from './dial.ts';
import { createDnsClient, type DnsError, type Resolution } from './dns-client.ts';
import { createGateway } from './gateway/create-gateway.ts';
import type { Gateway, GatewayLimits } from './gateway/gateway.ts';
import { type Guard, openGuard } from './gateway/guard.ts';
import { createHostsFile } from './hosts-file.ts';
import { createResolver, type Resolver } from './resolver.ts';
import {
  type ConnectThroughDeps,
  connectThrough,
  type DirectConnectOptions,
  type TargetResolution,
} from './upstream/connect-through.ts';

/** All outgoing connections of the service are made here. Every address is checked at the moment of the connection. */
export interface Egress {
  /** Never rejects. */
  connect(request: ConnectRequest): Promise<ConnectResult>;
  /**
   * Why `connect` would fail without trying: the address is not permitted, or the name does not resolve. null: it would try.
   * Opens no connection; never rejects.
   */
  checkTarget(request: ConnectRequest): Promise<Failure | null>;
  /**
   * Registers a listener of this process: no scrape may connect to it.
   * @returns call it when the listener is closed
   */
  addOwnListener(address: string, port: number): () => void;
  /**
   * The guard for requests that are no scrapes, such as webhooks: it has its own exceptions instead of `allow`, and uses no
   * proxy. Throws a RangeError for an invalid CIDR.
   */
  guardFor(exceptions: GuardExceptions): Pick<Egress, 'connect' | 'checkTarget'>;
  /**
   * A gateway for clients that open their sockets themselves: browsers, impersonating clients. It opens no listener yet. The
   * caller closes it.
   * @param limits of each slot; default: as a browser needs
   */
  openGateway(limits?: GatewayLimits): Gateway;
  /**
   * A gateway for browsers on other machines, on this address and port. The caller closes it. Rejects with the error of the system
   * when it cannot listen.
   */
  openGuard(host: string, port: number): Promise<Guard>;
  /**
   * Why no scrape may go to this host and port, as far as the name and a literal address tell; null: it may. For clients that
   * resolve names themselves. Queries no name server.
   */
  checkName(host: string, port: number): Failure | null;
  close(): void;
}

/** What may be reached outside public space. */
export interface GuardExceptions {
  /** CIDRs. */
  readonly ranges: readonly string[];
  /** `host:port`, the host as in `URL.hostname`: at any address except own listeners and metadata services. */
  readonly hosts: readonly string[];
}

export interface EgressOptions {
  /** CIDRs outside public space that may be reached. */
  readonly allow: readonly string[];
  /** `address` or `address:port` each; null: the name servers of the system. */
  readonly dnsServers: readonly string[] | null;
  /** Default `/etc/hosts`. */
  readonly hostsFile?: string;
  /** Certificate authorities (PEM) to trust for https proxies, besides those of Node. */
  readonly ca?: readonly string[] | null;
  /** The hosts that this process serves itself. Absent: none, so that their names do not resolve. */
  readonly testHosts?: TestHosts | null;
  readonly clock: Clock;
}

/** Serves the hosts of `isTestHost`. */
export interface TestHosts {
  /** Connects to one of them, without a proxy. Never rejects. */
  connect(request: Pick<ConnectRequest, 'host' | 'port' | 'signal' | 'onSharedRead'>): Promise<ConnectResult>;
  /** Why `connect` would fail without trying; null: it would try. */
  refusal(host: string): Failure | null;
}

/** Time limit of a direct connection, DNS included. */
const CONNECT_MS = 10_000;

/** Throws for an invalid CIDR or name server. While no connection is open, it holds only caches. */
export function createEgress({
  allow,
  dnsServers,
  hostsFile: hostsPath = '/etc/hosts',
  ca = null,
  testHosts = null,
  clock,
}: EgressOptions): Egress {
  const policy = createAddressPolicy(allow, clock);
  const client = createDnsClient(dnsServers, clock);
  const resolver = createResolver({ client, hosts: createHostsFile(hostsPath, clock), clock });
  const deps: ConnectDeps = { policy, resolver, clock };
  const throughDeps: ConnectThroughDeps = {
    connectDirectly: (request, options) => connectDirectly(request, options, deps),
    resolveTarget: (request) => resolveTarget(request, deps),
    ca,
    clock,
  };
  let closed = false;

  const connect = async (request: ConnectRequest): Promise<ConnectResult> => {
    if (closed) return failedConnect(SHUTTING_DOWN, null);
    if (testHosts !== null && isTestHost(request.host)) return testHosts.connect(request);
    const upstream = upstreamOf(request);
    return upstream === null
      ? connectDirectly(request, { checkAddress: true }, deps)
      : connectThrough(request, upstream, throughDeps);
  };

  return {
    connect,
    async checkTarget(request) {
      if (testHosts !== null && isTestHost(request.host)) return testHosts.refusal(request.host);
      const resolution = await resolveTarget(request, deps);
      if (resolution.failure === null) return null;
      // If the failure is not final, a proxy may resolve the name although our name servers do not.
      return resolution.final || upstreamOf(request) === null ? resolution.failure : null;
    },
    guardFor: (exceptions) => createGuard(exceptions, { policy, resolver, clock }, () => closed),
    addOwnListener: (address, port) => policy.ownListeners.add(address, port),
    openGateway: (limits) =>
      createGateway({
        dial: connect,
        addOwnListener: (address, port) => policy.ownListeners.add(address, port, { exact: true }),
        ...limits,
      }),
    openGuard: (host, port) =>
      openGuard({
        host,
        port,
        dial: connect,
        addOwnListener: (address, port) => policy.ownListeners.add(address, port),
      }),
    checkName(host, port) {
      if (testHosts !== null && isTestHost(host)) return testHosts.refusal(host);
      const resolution = resolver.resolveLocally(host);
      if (resolution === null) return null;
      if (resolution.error !== null) return dnsFailure(resolution.error, host);
      return permittedAddresses(policy, resolution, port) === null ? ADDRESS_REFUSED : null;
    },
    close() {
      closed = true;
      resolver.close();
    },
  };
}

const SHUTTING_DOWN = failure('service.unavailable', 'The service is shutting down.');
const EVERY_ADDRESS = ['0.0.0.0/0', '::/0'];

function createGuard(
  { ranges, hosts }: GuardExceptions,
  { policy, resolver, clock }: ConnectDeps,
  isClosed: () => boolean,
): Pick<Egress, 'connect' | 'checkTarget'> {
  const named = new Set(hosts);
  const ordinary = createAddressPolicy(ranges, clock, policy.ownListeners);
  const permissive = createAddressPolicy(EVERY_ADDRESS, clock, policy.ownListeners);
  const depsFor = ({ host, port }: ConnectRequest): ConnectDeps => ({
    policy: named.has(`${host}:${port}`) ? permissive : ordinary,
    resolver,
    clock,
  });
  return {
    async connect(request) {
      if (isClosed()) return failedConnect(SHUTTING_DOWN, null);
      return await connectDirectly(request, { checkAddress: true }, depsFor(request));
    },
    checkTarget: async (request) => (await resolveTarget(request, depsFor(request))).failure,
  };
}

interface ConnectDeps {
  readonly policy: AddressPolicy;
  readonly resolver: Resolver;
  readonly clock: Clock;
}

/**
 * Resolves the host, checks its addresses and connects to one of them, without a proxy.
 */
async function connectDirectly(
  { host, port, signal, onSharedRead }: ConnectRequest,
  { checkAddress }: DirectConnectOptions,
  { policy, resolver, clock }: ConnectDeps,
): Promise<ConnectResult> {
  const began = clock.monotonic();
  let resolution = resolver.resolveLocally(host);
  let dialAt = began;
  let dnsMs: number | null = null;
  if (resolution === null) {
    resolution = await resolver.resolve(host, signal);
    dialAt = clock.monotonic();
    dnsMs = dialAt - began;
  }
  if (resolution.error !== null) return failedConnect(dnsFailure(resolution.error, host), dnsMs);
  const permitted = checkAddress
    ? permittedAddresses(policy, resolution, port)
    : outsideOwnListeners(policy, resolution, port);
  if (permitted === null) return failedConnect(ADDRESS_REFUSED, dnsMs);
  const target = `${host}:${port}`;
  // Nothing can listen on port 0, but Node would accept it.
  if (port < 1 || port > 65_535) return failedConnect(connectFailure('ECONNREFUSED', target), dnsMs);
  const dialled = await dial({
    addresses: dialOrder(permitted),
    port,
    target,
    limitMs: Math.max(1, CONNECT_MS - (dialAt - began)),
    signal,
    onSharedRead,
  });
  if (dialled.failure !== null) return failedConnect(dialled.failure, dnsMs);
  const connectMs = clock.monotonic() - dialAt;
  return { failure: null, socket: dialled.socket, remoteIp: dialled.address.text, dnsMs, connectMs };
}

/** Resolves a target and checks its addresses, before its name is sent to a proxy. */
async function resolveTarget(
  { host, port, signal }: ConnectRequest,
  { policy, resolver }: ConnectDeps,
): Promise<TargetResolution> {
  const resolution = resolver.resolveLocally(host) ?? (await resolver.resolve(host, signal));
  const { error } = resolution;
  if (error !== null) return { failure: dnsFailure(error, host), final: error.reason === 'bad_name' };
  const permitted = permittedAddresses(policy, resolution, port);
  return permitted === null
    ? { failure: ADDRESS_REFUSED, final: true }
    : { failure: null, addresses: dialOrder(permitted) };
}

/** The proxy that the request goes through; null: none, or the host bypasses it. */
function upstreamOf({ upstream, host, port }: ConnectRequest): Upstream | null {
  return upstream == null || bypassesProxy(upstream.bypass, host, port) ? null : upstream;
}

function failedConnect(cause: Failure, dnsMs: number | null): ConnectResult {
  return { failure: cause, socket: null, dnsMs };
}

/**
 * The addresses that may be tried; null: none. If a name server gives one forbidden address, none is used: the response
 * may be an attack (DNS rebinding). From trusted sources only the forbidden addresses are left out.
 */
function permittedAddresses(
  policy: AddressPolicy,
  { addresses, trusted }: Extract<Resolution, { error: null }>,
  port: number,
): readonly Address[] | null {
  const permitted = addresses.filter((address) => policy.permits(address, port));
  if (permitted.length === 0 || (!trusted && permitted.length < addresses.length)) return null;
  return permitted;
}

/** For a proxy of the operator: it may have any address except those of own listeners. null: no address is left. */
function outsideOwnListeners(
  policy: AddressPolicy,
  { addresses }: Extract<Resolution, { error: null }>,
  port: number,
): readonly Address[] | null {
  const permitted = addresses.filter((address) => !policy.ownListeners.covers(address, port));
  return permitted.length === 0 ? null : permitted;
}

function dnsFailure({ code, reason }: DnsError, host: string): Failure {
  const message =
    code === 'dns.not_found'
      ? `The host name ${host} does not exist.`
      : `The host name ${host} could not be resolved: the name servers did not respond, or failed.`;
  return failure(code, message, { details: { reason } });
}
