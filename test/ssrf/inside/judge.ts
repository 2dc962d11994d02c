import { execFileSync } from 'node:child_process';
import { BlockList, isIPv6 } from 'node:net';

/**
 * What is not public, written down a second time and on purpose not taken from src: IANA's special-purpose registries,
 * and addresses of metadata services in public space.
 */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
const CLOSED_V6 = [
  '::/8',
  '100::/8',
  '200::/7',
  '400::/6',
  '800::/5',
  '1000::/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3ffe::/16',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
];
/** The one piece of ::/8 that the conformance data calls public. */
const OPEN_V6 = '64:ff9c::/32';

/** From here the test speaks to the service: the only traffic to loopback that is right. */
export const CLIENT = '127.0.0.9';

/** Run by root, the service gives its browser this user. */
const BROWSER = 64137;

// Apart, because a list takes an IPv4 address for its mapped form, too.
const closedV4 = new BlockList();
const closedV6 = new BlockList();
for (const range of CLOSED_V4) closedV4.addSubnet(...parts(range), 'ipv4');
for (const range of CLOSED_V6) closedV6.addSubnet(...parts(range), 'ipv6');

/** Whether an address as a socket tells it is not public. */
export function isClosed(address: string): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (!isIPv6(plain)) return closedV4.check(plain, 'ipv4');
  return !plain.startsWith('64:ff9c:') && closedV6.check(plain, 'ipv6');
}

function parts(range: string): [address: string, bits: number] {
  const [address, bits] = range.split('/');
  return [address!, Number(bits)];
}

export interface Judge {
  reset(): void;
  /** Packets that left for non-public space since then, by range. */
  packets(): Record<string, number>;
}

/** Counts, in the kernel, every packet to non-public space but those between the test and the services. */
export function startJudge(servicePorts: readonly number[]): Judge {
  const ports = `{ ${servicePorts.join(', ')} }`;
  const rules = [
    `ip saddr ${CLIENT} tcp dport ${ports} accept`,
    `tcp sport ${ports} accept`,
    // A browser that rests, in its own way out, which leads nowhere; what browsers reach has its own test.
    `meta skuid ${BROWSER} ip daddr 127.0.0.1 ct mark set 1 accept`,
    'ct mark 1 accept',
    // What was opened before the count; a new connection begins with SYN alone.
    `tcp dport ${ports} tcp flags & (syn | ack) != syn accept`,
    `ip6 daddr ${OPEN_V6} accept`,
    ...CLOSED_V4.map((range) => `ip daddr ${range} counter comment "${range}"`),
    ...CLOSED_V6.map((range) => `ip6 daddr ${range} counter comment "${range}"`),
  ];
  const start = () =>
    nft(
      `add table inet judge
delete table inet judge
table inet judge {
  chain out {
    type filter hook output priority 0; policy accept;
    ${rules.join('\n    ')}
  }
}`,
    );
  start();
  return {
    reset: start,
    packets() {
      const { nftables } = JSON.parse(
        execFileSync('nft', ['-j', 'list', 'table', 'inet', 'judge'], { encoding: 'utf8' }),
      ) as {
        nftables: { rule?: { comment?: string; expr: { counter?: { packets: number } }[] } }[];
      };
      const counted: Record<string, number> = {};
      for (const { rule } of nftables) {
        const packets = rule?.expr.find((one) => one.counter !== undefined)?.counter?.packets ?? 0;
        if (packets > 0) counted[rule!.comment!] = packets;
      }
      return counted;
    },
  };
}

function nft(rules: string): void {
  execFileSync('nft', ['-f', '-'], { input: rules });
}
