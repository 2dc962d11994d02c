import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6, type Socket } from 'node:net';
import type { Answer, Packet } from 'dns-packet';
import packet from 'dns-packet';

type Family = 'A' | 'AAAA';
/** The same for both families, or for each its own. */
type Each<T> = T | Partial<Record<Family, T>>;

/** What the server says of one name. */
export interface DnsReply {
  /** IPv4 and IPv6 mixed; each question gets those of its family. None of the family: NODATA. */
  readonly addresses?: readonly string[];
  /** Seconds; default 60. */
  readonly ttl?: number;
  /** Names on the way from the question to the addresses. */
  readonly cnames?: readonly { readonly to: string; readonly ttl: number }[];
  readonly rcode?: Each<'NXDOMAIN' | 'SERVFAIL' | 'REFUSED'>;
  readonly delayMs?: Each<number>;
  /** No answer at all. */
  readonly silent?: Each<boolean>;
  /** Over UDP only the truncation bit, so that the client comes again over TCP. */
  readonly truncate?: boolean;
}

export interface DnsServer extends AsyncDisposable {
  /** `address:port`, as the setting of name servers takes it. */
  readonly address: string;
  /** Every question that came, in order. */
  readonly questions: readonly {
    readonly name: string;
    readonly type: string;
    readonly transport: 'udp' | 'tcp';
  }[];
  /**
   * Sets what is said of a name, lower-case; `*.name` is for all names below it. Several replies are given one after the
   * other, counted for A and AAAA apart; the last one stays. Names without a reply get NXDOMAIN.
   */
  reply(name: string, ...replies: readonly DnsReply[]): void;
  /** A second call does nothing. */
  close(): Promise<void>;
}

const RCODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/**
 * An authoritative-looking name server, UDP and TCP on one port, with the given names.
 * @param at where it listens: loopback and a free port unless said otherwise
 */
export async function startDnsServer(
  names: Readonly<Record<string, DnsReply>> = {},
  at: { readonly host?: string; readonly port?: number } = {},
): Promise<DnsServer> {
  const scripts = new Map<string, readonly DnsReply[]>();
  const given = new Map<string, number>();
  const questions: { name: string; type: string; transport: 'udp' | 'tcp' }[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const sockets = new Set<Socket>();
  const { host = '127.0.0.1' } = at;
  const { udp, tcp, port } = await listen(host, at.port ?? 0);

  const replyFor = (name: string, type: string): DnsReply => {
    const below = name.slice(name.indexOf('.') + 1);
    const script = scripts.get(name) ?? scripts.get(`*.${below}`);
    if (script === undefined) return { rcode: 'NXDOMAIN' };
    const key = `${type} ${name}`;
    const n = given.get(key) ?? 0;
    given.set(key, n + 1);
    return script[Math.min(n, script.length - 1)] ?? {};
  };

  const answer = (query: Packet, transport: 'udp' | 'tcp', send: (response: Packet) => void) => {
    const question = query.questions?.[0];
    if (question === undefined) return;
    const name = question.name.toLowerCase();
    questions.push({ name, type: question.type, transport });
    const reply = replyFor(name, question.type);
    const family = question.type as Family;
    if (each(reply.silent, family) === true) return;
    const response = responseTo(query, reply, transport === 'udp' && reply.truncate === true);
    const delay = each(reply.delayMs, family) ?? 0;
    if (delay === 0) return send(response);
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(response);
    }, delay);
    timers.add(timer);
  };

  udp.on('message', (message, from) => {
    const send = (response: Packet) => udp.send(packet.encode(response), from.port, from.address);
    answer(packet.decode(message), 'udp', send);
  });
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const end = 2 + received.readUInt16BE();
        const query = packet.streamDecode(received.subarray(0, end));
        received = received.subarray(end);
        answer(query, 'tcp', (response) => socket.write(packet.streamEncode(response)));
      }
    });
  });

  const close = async () => {
    for (const timer of timers) clearTimeout(timer);
    for (const socket of sockets) socket.destroy();
    if (!tcp.listening) return;
    udp.close();
    tcp.close();
    await once(tcp, 'close');
  };
  const server: DnsServer = {
    address: `${host}:${port}`,
    questions,
    reply(name, ...replies) {
      scripts.set(name, replies);
      for (const type of ['A', 'AAAA']) given.delete(`${type} ${name}`);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  for (const [name, reply] of Object.entries(names)) server.reply(name, reply);
  return server;
}

/** TCP takes a free port; UDP may have lost it to another process, then once more. */
async function listen(host: string, wanted: number) {
  for (let tries = 0; ; tries++) {
    const tcp = createServer().listen(wanted, host);
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4');
    try {
      udp.bind(port, host);
      await once(udp, 'listening');
      return { udp, tcp, port };
    } catch (error) {
      udp.close();
      tcp.close();
      if (tries === 20) throw error;
    }
  }
}

function each<T>(value: Each<T> | undefined, family: Family): T | undefined {
  if (typeof value !== 'object' || value === null) return value as T | undefined;
  return (value as Partial<Record<Family, T>>)[family];
}

function responseTo(query: Packet, reply: DnsReply, truncate: boolean): Packet {
  const question = query.questions![0]!;
  const rcode = RCODES[each(reply.rcode, question.type as Family) ?? 'NOERROR'];
  const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | rcode;
  const head: Packet = { id: query.id ?? 0, type: 'response', questions: [question] };
  if (truncate) return { ...head, flags: flags | packet.TRUNCATED_RESPONSE };
  if (rcode !== RCODES.NOERROR) return { ...head, flags };
  const answers: Answer[] = [];
  let owner = question.name;
  for (const { to, ttl } of reply.cnames ?? []) {
    answers.push({ type: 'CNAME', name: owner, ttl, data: to });
    owner = to;
  }
  const ttl = reply.ttl ?? 60;
  for (const data of reply.addresses ?? []) {
    const type = isIPv6(data) ? 'AAAA' : 'A';
    if (type === question.type) answers.push({ type, name: owner, ttl, data });
  }
  return { ...head, flags, answers };
}
