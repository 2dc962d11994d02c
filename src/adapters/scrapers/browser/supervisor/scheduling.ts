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
 * Gives all threads of a process this nice value at least; each has one of its own on Linux, and those that are made
 * later take it over. true: some had less. Never rejects.
 */
export async function lower(pid: number, nice: number): Promise<boolean> {
  let changed = false;
  for (const thread of await threadsOf(pid)) {
    try {
      if (getPriority(thread) >= nice) continue;
      setPriority(thread, nice);
      changed = true;
    } catch {
      // It has ended meanwhile, or runs as somebody whom we may not touch: it goes on as it is.
    }
  }
  return changed;
}

/** SCHED_IDLE for all threads: who may set nice values may set that. Where there is no chrt(1), nice values must do. */
export const letOthersFirst = (pid: number): Promise<void> =>
  new Promise((resolve) => {
    execFile('chrt', ['--idle', '--all-tasks', '--pid', '0', String(pid)], () => resolve());
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
    changed = (await Promise.all(own.map(({ pid }) => lower(pid, APART_NICE)))).includes(true);
  }
}

export const threadsOf = async (pid: number): Promise<readonly number[]> =>
  (await readdir(`/proc/${pid}/task`).catch(() => [])).map(Number);
