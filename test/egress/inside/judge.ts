import { execFileSync } from 'node:child_process';

const nft = (input: string) => execFileSync('nft', ['-f', '-'], { input });

/** Notes in the kernel where a user sends anything to but these ports of 127.0.0.1. */
export function judge(uid: number, ports: readonly number[]): { packets(): readonly string[] } {
  nft(`add table inet egress
delete table inet egress
table inet egress {
  set v4 { type ipv4_addr . inet_proto . inet_service; flags dynamic; }
  set v6 { type ipv6_addr . inet_proto . inet_service; flags dynamic; }
  chain out {
    type filter hook output priority 0; policy accept;
    ip daddr 127.0.0.1 tcp dport { ${ports.join(', ')} } accept
    meta skuid ${uid} add @v4 { ip daddr . meta l4proto . th dport }
    meta skuid ${uid} add @v6 { ip6 daddr . meta l4proto . th dport }
  }
}`);
  return {
    packets: () =>
      ['v4', 'v6'].flatMap((name) => {
        const told = execFileSync('nft', ['-j', 'list', 'set', 'inet', 'egress', name], { encoding: 'utf8' });
        const { nftables } = JSON.parse(told) as { nftables: { set?: { elem?: readonly Element[] } }[] };
        return nftables.flatMap(({ set }) => set?.elem ?? []).map(({ concat }) => concat.join(' '));
      }),
  };
}

interface Element {
  readonly concat: readonly (string | number)[];
}
