/**
 * Loaded into each test process by scripts/test.ts: tells on stderr, as the process ends, how many seconds of processor
 * time it and all the processes that it has waited for have used. Linux alone counts the latter.
 */
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

function seconds(): number {
  try {
    // proc(5): utime, stime, cutime and cstime are fields 14 to 17; the second, the name, may hold spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

// Threads inherit the options of their process.
if (isMainThread) process.on('exit', () => writeSync(2, `\n[cpu ${seconds().toFixed(2)} s]\n`));
