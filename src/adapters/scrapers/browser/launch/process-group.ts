import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Processes that were killed need a moment to go; one that does not, waits for a disk. */
const GOING_MS = 1_000;
const LOOK_MS = 10;

/** Kills all processes of a group, and settles when they are gone. `pid`: its leader, which may have ended before. */
export async function endGroup(pid: number): Promise<void> {
  const until = performance.now() + GOING_MS;
  while (signalGroup(pid, 'SIGKILL') && (await hasLiving(pid)) && performance.now() < until)
    await pause(LOOK_MS);
}

/** false when there is no such group any more. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** What has ended and waits for its parent to take notice (a zombie) holds nothing any more. */
async function hasLiving(group: number): Promise<boolean> {
  for (const { state, group: of } of await processes()) if (of === group && state !== 'Z') return true;
  return process.platform !== 'linux';
}

export interface ProcessFacts {
  readonly pid: number;
  /** A letter of proc(5). */
  readonly state: string;
  readonly group: number;
}

/** All processes of this machine that are to be seen; none where there is no /proc. */
export async function processes(): Promise<readonly ProcessFacts[]> {
  const names = await readdir('/proc').catch(() => []);
  const read = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null);
      if (stat === null) return [];
      // The name of the program, in brackets, may hold anything.
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), state: state!, group: Number(group) }];
    });
  return (await Promise.all(read)).flat();
}
