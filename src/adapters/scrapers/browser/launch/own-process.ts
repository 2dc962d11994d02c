import { readFileSync } from 'node:fs';

/**
 * When a process began, in ticks since the machine did (proc(5), field 22): with it a number that was given away again
 * is told from the process that had it. 0 where there is no /proc; null when there is no such process.
 */
export function startTicks(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in brackets, may hold anything.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    if (process.platform === 'linux') return null;
    try {
      process.kill(pid, 0);
      return 0;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM' ? 0 : null;
    }
  }
}

/** What names this process among all that ever ran here: the beginning of names of its folders. */
export const OWN_MARK: string = `${process.pid}-${startTicks(process.pid)}`;

/** Whether the process still runs whose mark a name begins with. */
export function isMarkedAlive(name: string): boolean {
  const [, pid, ticks] = /^(\d+)-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && startTicks(Number(pid)) === Number(ticks);
}
