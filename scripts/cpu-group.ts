import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Counts the processor time of a process and of all that it starts, also of those that nobody waits for. */
export interface CpuGroup {
  /** Seconds until now, of all processes that were ever in the group. */
  seconds(): number;
  /** Ends all that are still in the group. */
  kill(): void;
  close(): void;
}

/** The folder of this process in cgroup v2, which counts processor time without any controller (cgroup-v2.rst, `cpu.stat`). */
function ownFolder(): string {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const mount = mounts.find((line) => line.includes(' - cgroup2 '))!.split(' ')[4]!;
  const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))![1]!;
  return join(mount, path);
}

/** Puts a process into a group of its own; null: cgroup v2 is not there, or may not be written. */
export function openCpuGroup(pid: number): CpuGroup | null {
  let folder: string;
  try {
    folder = join(ownFolder(), `sluice-test-${pid}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  } catch {
    return null;
  }
  return {
    seconds: () =>
      Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8'))![1]) / 1e6,
    kill: () => writeFileSync(join(folder, 'cgroup.kill'), '1'),
    close() {
      try {
        rmdirSync(folder);
      } catch {
        // Something still runs in it.
      }
    },
  };
}
