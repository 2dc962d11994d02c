import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { processes } from '../launch/process-group.ts';

/**
 * A third of what others get (sched(7): each step is a factor of 1.25), where both want the processors. With 19 it is a
 * seventieth: on a busy machine no page would come to its end in time.
 */
const APART_NICE = 5;
const MOST_PASSES = 10;

/**
 * Gives these threads this nice value at least; each has one of its own on Linux, and those that it makes later take it
 * over.
 * @returns those that had less
 */
export function lower(threads: readonly number[], nice: number): readonly number[] {
  return threads.filter((thread) => {
    try {
      if (getPriority(thread) >= nice) return false;
      setPriority(thread, nice);
      return true;
    } catch {
      // It has ended meanwhile, or runs as somebody whom we may not touch: it goes on as it is.
      return false;
    }
  });
}

/**
 * SCHED_IDLE for a thread, or for all of a process: who may set nice values may set that. Where there is no chrt(1), nice
 * values must do. Never rejects.
 */
export const letOthersFirst = (id: number, which: 'thread' | 'process'): Promise<void> =>
  new Promise((resolve) => {
    const all = which === 'process' ? ['--all-tasks'] : [];
    execFile('chrt', ['--idle', ...all, '--pid', '0', String(id)], () => resolve());
  });

/**
 * Puts a browser with all its processes behind all others: by their nice values, and, where sessions share the
 * processors between them before their processes do (sched(7), autogroup), by that of its session. Does nothing where
 * there is no /proc. Never rejects.
 * @param leader of the process group and of the session
 */
export async function lowerBrowser(leader: number): Promise<void> {
  await writeFile(`/proc/${leader}/autogroup`, String(APART_NICE)).catch(() => {});
  // What is made meanwhile, by a thread whose turn has not come, is found by the next pass.
  for (let passes = 0, changed = true; changed && passes < MOST_PASSES; passes++) {
    const own = (await processes()).filter(({ group }) => group === leader);
    const threads = (await Promise.all(own.map(({ pid }) => threadsOf(pid)))).flat();
    changed = lower(threads, APART_NICE).length > 0;
  }
}

export const threadsOf = async (pid: number): Promise<readonly number[]> =>
  (await readdir(`/proc/${pid}/task`).catch(() => [])).map(Number);
