import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { startChild } from './child.ts';
import { cleanEnvironment } from './repository.ts';

const WAYS = [
  ['unshare', '-n'],
  ['unshare', '-rn'],
] as const;

/** What takes longer hangs, if nothing else is said. */
const LONGEST_MS = 90_000;

/** The words before a command that give it a network namespace of its own; or why there is none. */
export function ownNetwork():
  | { readonly words: readonly string[]; readonly skip: false }
  | { readonly words: null; readonly skip: string } {
  for (const [command, ...args] of [
    ['ip', '-V'],
    ['nft', '--version'],
    ['unshare', '--version'],
  ] as const) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status !== 0) {
      return { words: null, skip: `${command} is missing: apt-get install iproute2 nftables util-linux` };
    }
  }
  for (const words of WAYS) {
    // Being allowed to make a namespace is not yet being allowed to set it up.
    const tried = spawnSync(
      words[0],
      [...words.slice(1), 'sh', '-c', 'ip link set lo up && nft list ruleset'],
      {
        stdio: 'ignore',
      },
    );
    if (tried.status === 0) return { words, skip: false };
  }
  return { words: null, skip: 'this machine does not permit network namespaces (unshare -n, unshare -rn)' };
}

/** Runs a file of tests inside of a network namespace; each of its tests is told as a part of this one. */
export async function runInside(
  t: TestContext,
  words: readonly string[],
  file: string,
  longestMs: number = LONGEST_MS,
): Promise<void> {
  const [command, ...args] = [...words, process.execPath, '--test-reporter=tap', file];
  const child = startChild(command!, args, { env: cleanEnvironment() });
  const late = setTimeout(() => child.kill('SIGKILL'), longestMs);
  const { code } = await child.exited;
  clearTimeout(late);
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
  for (const line of lines) if (line.startsWith('# counted: ')) t.diagnostic(line.slice(11));
  if (code !== 0) throw new Error(`inside of the network, exit code ${code}:\n${stdout}${stderr}`);
}
