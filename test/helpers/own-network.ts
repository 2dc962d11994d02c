import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { startChild } from './child.ts';
import { cleanEnvironment } from './repository.ts';

/** Command prefixes. The second needs no root, but user namespaces. */
const COMMANDS = [
  ['unshare', '-n'],
  ['unshare', '-rn'],
] as const;

/** Default limit for a file of tests; one that takes longer hangs. */
const TIMEOUT_MS = 90_000;

/** A command prefix that runs a command in a new network namespace; or the reason why that is not possible here. */
export function ownNetwork():
  | { readonly prefix: readonly string[]; readonly skip: false }
  | { readonly prefix: null; readonly skip: string } {
  for (const [command, ...args] of [
    ['ip', '-V'],
    ['nft', '--version'],
    ['unshare', '--version'],
  ] as const) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status !== 0) {
      return { prefix: null, skip: `${command} is missing: apt-get install iproute2 nftables util-linux` };
    }
  }
  for (const prefix of COMMANDS) {
    // Some systems allow to create a namespace, but not to configure its network.
    const attempt = spawnSync(
      prefix[0],
      [...prefix.slice(1), 'sh', '-c', 'ip link set lo up && nft list ruleset'],
      {
        stdio: 'ignore',
      },
    );
    if (attempt.status === 0) return { prefix, skip: false };
  }
  return { prefix: null, skip: 'this machine does not permit network namespaces (unshare -n, unshare -rn)' };
}

/** `ownNetwork`, if several namespaces can also be joined there. */
export function ownNetworks(): ReturnType<typeof ownNetwork> {
  const network = ownNetwork();
  if (network.prefix === null) return network;
  const [command, ...args] = [...network.prefix, 'ip', 'link', 'add', 'one', 'type', 'veth'];
  if (spawnSync(command!, args, { stdio: 'ignore' }).status === 0) return network;
  return { prefix: null, skip: 'the kernel of this machine has no veth, or does not permit it' };
}

/** Runs a file of tests in a network namespace, and reports each of its tests as a subtest of `t`. */
export async function runInside(
  t: TestContext,
  prefix: readonly string[],
  file: string,
  timeoutMs: number = TIMEOUT_MS,
): Promise<void> {
  const [command, ...args] = [...prefix, process.execPath, '--test-reporter=tap', file];
  const child = startChild(command!, args, { env: cleanEnvironment() });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const { code } = await child.exited;
  clearTimeout(timer);
  const [stdout, stderr] = [child.stdout(), child.stderr()];
  const lines = stdout.split('\n');
  for (const line of lines) {
    const found = /^(not )?ok \d+ - (.*?)(?: # SKIP (.*))?$/.exec(line);
    if (found === null) continue;
    const [, not, name, skip = false] = found;
    await t.test(name!, { skip }, () => {
      if (not !== undefined) throw new Error(`${stdout}${stderr}`);
    });
  }
  // What the tests print with `counted: ` becomes a diagnostic of `t`.
  for (const line of lines) if (line.startsWith('# counted: ')) t.diagnostic(line.slice(11));
  if (code !== 0) throw new Error(`${file} in the namespace: exit code ${code}\n${stdout}${stderr}`);
}
