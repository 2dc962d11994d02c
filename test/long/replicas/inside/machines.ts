import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { afterwards } from '../../../adapters/temp.ts';
import { startChild } from '../../../helpers/child.ts';
import { eventually } from '../../../helpers/service.ts';

/** Address of the servers in the network of the test, which all machines reach. */
export const SERVERS = '10.9.0.1';
/** All addresses of these machines. */
export const NETWORK = '10.9.0.0/16';

/** Which packets between a machine and a port of the servers are dropped. */
export type Cut = 'all' | 'answers';

/** A network namespace, joined to that of the test by a pair of virtual interfaces. */
export interface Machine {
  readonly address: string;
  /** A command prefix that runs a command on it. */
  readonly wrap: readonly string[];
}

/** Run before anything else, in a network namespace of the test. */
export function setUpServers(): void {
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'address', 'add', `${SERVERS}/32`, 'dev', 'lo');
}

/** @param number from 1; of its own in this test */
export async function startMachine(t: TestContext, number: number): Promise<Machine> {
  const holder = startChild('unshare', ['-n', 'sleep', 'infinity']);
  afterwards(t, async () => {
    holder.kill('SIGKILL');
    await holder.exited;
  });
  const namespaceOf = (pid: number | 'self') => readlinkSync(`/proc/${pid}/ns/net`);
  await eventually(() => namespaceOf(holder.pid) !== namespaceOf('self'));
  const [address, gateway] = [`10.9.${number}.2`, `10.9.${number}.1`];
  const wrap = ['nsenter', '-t', String(holder.pid), '-n'];
  const here = interfaceOf(number);
  run('ip', 'link', 'add', here, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(holder.pid));
  run('ip', 'address', 'add', `${gateway}/24`, 'dev', here);
  run('ip', 'link', 'set', here, 'up');
  run(...wrap, 'ip', 'link', 'set', 'lo', 'up');
  run(...wrap, 'ip', 'address', 'add', `${address}/24`, 'dev', 'eth0');
  run(...wrap, 'ip', 'link', 'set', 'eth0', 'up');
  run(...wrap, 'ip', 'route', 'add', 'default', 'via', gateway);
  return { address, wrap };
}

/** From now on, these packets and no others are dropped, without a word to anyone. */
export function dropPackets(
  cuts: readonly { readonly machine: number; readonly port: number; readonly cut: Cut }[],
): void {
  const requests = cuts
    .filter(({ cut }) => cut === 'all')
    .map(({ machine, port }) => `iifname "${interfaceOf(machine)}" tcp dport ${port} drop`);
  const answers = cuts.map(({ machine, port }) => `oifname "${interfaceOf(machine)}" tcp sport ${port} drop`);
  const rules = `table inet cut
delete table inet cut
table inet cut {
  chain requests {
    type filter hook input priority 0
    ${requests.join('\n    ')}
  }
  chain answers {
    type filter hook output priority 0
    ${answers.join('\n    ')}
  }
}
`;
  execFileSync('nft', ['-f', '-'], { input: rules });
}

const interfaceOf = (machine: number) => `machine${machine}`;

function run(...words: string[]): void {
  const [command, ...args] = words;
  execFileSync(command!, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
