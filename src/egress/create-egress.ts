import { bypasses } from '../base/bypass.ts';
import type { Clock } from '../base/clock.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Address } from './address.ts';
import { type AddressPolicy, addressPolicy, REFUSED } from './address-policy.ts';
import { connectFailure } from './connect-failure.ts';
import { dial } from './dial.ts';
import { dialOrder } from './dial-order.ts';
import type { DialAsk, Dialled } from './dialled.ts';
import { dnsClient } from './dns-client.ts';
import type { Egress } from './egress.ts';
import { createGateway } from './gateway/create-gateway.ts';
import { hostsFile } from './hosts-file.ts';
import type { DnsTrouble, Resolution } from './resolution.ts';
import { createResolver } from './resolver.ts';
import { connectThrough, type Judged } from './upstream/connect-through.ts';

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
  const policy = addressPolicy(allow, clock);
  const client = dnsClient(dnsServers, clock);
  const resolver = createResolver({ client, hosts: hostsFile(hostsPath, clock), clock });
  let closed = false;

  /** @param judged whether the address policy counts; own listeners are never reached */
  const direct = async ({ host, port, signal, takeRead }: DialAsk, judged: boolean): Promise<Dialled> => {
    const began = clock.monotonic();
    let resolution = resolver.known(host);
    let dialAt = began;
    let dnsMs: number | null = null;
    if (resolution === null) {
      resolution = await resolver.ask(host, signal);
      dialAt = clock.monotonic();
      dnsMs = dialAt - began;
    }
    if (resolution.trouble !== null) return refusal(dnsFailure(resolution.trouble, host), dnsMs);
    const open = judged ? permitted(policy, resolution, port) : notOwn(policy, resolution, port);
    if (open === null) return refusal(REFUSED, dnsMs);
    const target = `${host}:${port}`;
    // Nothing can listen on port 0; the system would choose one.
    if (port < 1 || port > 65_535) return refusal(connectFailure('ECONNREFUSED', target), dnsMs);
    const end = await dial({
      addresses: dialOrder(open),
      port,
      target,
      limitMs: Math.max(1, CONNECT_MS - (dialAt - began)),
      signal,
      takeRead,
    });
    if (end.failure !== null) return refusal(end.failure, dnsMs);
    const connectMs = clock.monotonic() - dialAt;
    return { failure: null, socket: end.socket, remoteIp: end.address.text, dnsMs, connectMs };
  };

  /** What our own look-up says of a target that a proxy is asked for: a name is judged before it leaves. */
  const judge = async ({ host, port, signal }: DialAsk): Promise<Judged> => {
    const resolution = resolver.known(host) ?? (await resolver.ask(host, signal));
    const { trouble } = resolution;
    if (trouble !== null)
      return { failure: dnsFailure(trouble, host), certain: trouble.reason === 'bad_name' };
    const open = permitted(policy, resolution, port);
    return open === null
      ? { failure: REFUSED, certain: true }
      : { failure: null, addresses: dialOrder(open) };
  };

  const egress: Egress = {
    async connect(ask: DialAsk): Promise<Dialled> {
      if (closed) return refusal(failure('service.unavailable', 'The service is shutting down.'), null);
      const { upstream } = ask;
      if (upstream == null || bypasses(upstream.bypass, ask.host, ask.port)) return direct(ask, true);
      return connectThrough(ask, upstream, { direct, judge, ca, clock });
    },
    async judge(ask: DialAsk): Promise<Failure | null> {
      const judged = await judge(ask);
      if (judged.failure === null) return null;
      const { upstream } = ask;
      const isDirect = upstream == null || bypasses(upstream.bypass, ask.host, ask.port);
      // What only our own look-up says, a proxy may know better.
      return isDirect || judged.certain ? judged.failure : null;
    },
    addOwnListener: (address, port) => policy.own.add(address, port),
    openGateway: (limits) =>
      createGateway({
        dial: egress.connect,
        addOwnListener: (address, port) => policy.own.add(address, port, true),
        ...limits,
      }),
    close() {
      closed = true;
      resolver.close();
    },
  };
  return egress;
}

function refusal(why: Failure, dnsMs: number | null): Dialled {
  return { failure: why, socket: null, dnsMs };
}

/** The addresses that may be tried, or null: one forbidden address spoils what a name server says. */
function permitted(
  policy: AddressPolicy,
  { addresses, from }: Extract<Resolution, { trouble: null }>,
  port: number,
): readonly Address[] | null {
  const some = addresses.filter((address) => policy.permits(address, port));
  if (some.length === 0 || (from === 'outside' && some.length < addresses.length)) return null;
  return some;
}

/** An operator's proxy may be anywhere but at a listener of our own. */
function notOwn(
  policy: AddressPolicy,
  { addresses }: Extract<Resolution, { trouble: null }>,
  port: number,
): readonly Address[] | null {
  const some = addresses.filter((address) => !policy.own.covers(address, port));
  return some.length === 0 ? null : some;
}

function dnsFailure({ code, reason }: DnsTrouble, host: string): Failure {
  const message =
    code === 'dns.not_found'
      ? `The host name ${host} does not exist.`
      : `The host name ${host} could not be resolved: the name servers did not respond, or failed.`;
  return failure(code, message, { details: { reason } });
}
