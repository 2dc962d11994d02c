/**
 * Loaded into each test process by scripts/test.ts, which reads its line on stderr: at its end, the process prints the
 * seconds of processor time that it has used, on Linux with those of the child processes that it has waited for.
 */
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

function seconds(): number {
  try {
    // proc_pid_stat(5): utime, stime, cutime and cstime are fields 14 to 17. The name, field 2, may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    // 100 clock ticks per second on all common architectures.
    return ticks / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

// Threads inherit the options of their process.
if (isMainThread) process.on('exit', () => writeSync(2, `\n[cpu ${seconds().toFixed(2)} s]\n`));
