import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { PageGovernor } from './page-governor.ts';
import { listProcesses } from './processes.ts';

/**
 * Governs pages by the priorities of their processes and threads (sched(7)), which it reads from and writes to /proc.
 * Every priority is only ever lowered: to raise one again takes rights that a service without root does not have.
 */
export class LinuxPageGovernor implements PageGovernor {
  readonly #quarantine = new QuarantineList(() => performance.now());

  isQuarantined(userId: string, host: string): boolean {
    return this.#quarantine.has(userId, host);
  }

  quarantine(userId: string, host: string): boolean {
    return this.#quarantine.add(userId, host);
  }

  lowerBrowser(pid: number): void {
    void lowerProcessGroup(pid);
  }

  watchPages(pid: number, onSaturated: () => void): Disposable {
    const watcher = new PageWatcher(pid, onSaturated);
    const timer = setInterval(() => void watcher.poll(), POLL_MS).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }
}

/** How long a user and host stay on the list after they were last added. */
const QUARANTINE_MS = 600_000;
/** With more entries, the oldest is dropped. */
const MAX_QUARANTINED = 5_000;

/** Pairs of user and host whose pages disturbed others recently. */
export class QuarantineList {
  readonly #now: () => number;
  /** By `quarantineKey`: when the entry ends. The oldest entry is first. */
  readonly #endsAt = new Map<string, number>();

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
  }

  has(userId: string, host: string): boolean {
    return (this.#endsAt.get(quarantineKey(userId, host)) ?? Number.NEGATIVE_INFINITY) > this.#now();
  }

  /** @returns whether it was not on the list before */
  add(userId: string, host: string): boolean {
    const isNew = !this.has(userId, host);
    const key = quarantineKey(userId, host);
    this.#endsAt.delete(key);
    this.#endsAt.set(key, this.#now() + QUARANTINE_MS);
    for (const [oldest, endsAt] of this.#endsAt) {
      if (endsAt > this.#now() && this.#endsAt.size <= MAX_QUARANTINED) break;
      this.#endsAt.delete(oldest);
    }
    return isNew;
  }
}

const quarantineKey = (userId: string, host: string): string => `${userId} ${host}`;

/**
 * Nice value. On a busy machine the browser gets a third of the CPU share of others: each step is a factor of 1.25. With 19 it
 * would get a seventieth, and none of its pages would finish in time.
 */
const BROWSER_NICE = 5;
/** A process appears in /proc some time after it has got the priority of its parent, later on a busy machine. */
const PASSES = 6;
const PASS_PAUSE_MS = 250;

/**
 * Lowers the priority of all threads of a process group. The kernel may also divide the CPU between sessions (sched(7),
 * autogroup), so that of the session is lowered too.
 * @param leader pid of the leader of the group and the session
 */
async function lowerProcessGroup(leader: number): Promise<void> {
  await writeFile(`/proc/${leader}/autogroup`, String(BROWSER_NICE)).catch(() => {});
  // A thread that is not lowered yet may start others. The next pass finds them.
  for (let pass = 0; pass < PASSES; pass++) {
    if (pass > 0) await pause(PASS_PAUSE_MS, null, { ref: false });
    const members = (await listProcesses()).filter(({ group }) => group === leader);
    const threads = (await Promise.all(members.map(({ pid }) => threadIds(pid)))).flat();
    for (const thread of threads) lowerThread(thread, BROWSER_NICE);
  }
}

const POLL_MS = 200;
/** Most pages finish before they have used this much CPU time. Pages that need more get a lower priority. */
const MAX_CPU_MS = 500;
/** The lowest priority. */
const PAGE_NICE = 19;
/** Polls in a row, together a second. An ordinary page finishes within that time if it has a processor for itself. */
const SATURATED_POLLS = 5;

/** Looks for pages of one browser that use the CPU for long. Each page has a process of its own, which ends with it. */
class PageWatcher {
  readonly #browserPid: number;
  readonly #onSaturated: () => void;
  #zygotes: readonly number[] = [];
  /** Processes that have used much CPU time. true: it is a page, and its priority was lowered. */
  #heavy: ReadonlyMap<number, boolean> = new Map();
  /** Polls in a row with at least as many lowered pages as processors. */
  #saturatedPolls = 0;
  #polling = false;

  constructor(browserPid: number, onSaturated: () => void) {
    this.#browserPid = browserPid;
    this.#onSaturated = onSaturated;
  }

  async poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    const heavy = new Map<number, boolean>();
    for (const pid of await this.#candidates()) {
      const known = this.#heavy.get(pid);
      if (known !== undefined) heavy.set(pid, known);
      else if ((await cpuMs(pid)) >= MAX_CPU_MS) {
        const isPage = await isProcessType(pid, 'renderer');
        heavy.set(pid, isPage);
        if (isPage) await lowerPage(pid);
      }
    }
    this.#heavy = heavy;
    this.#polling = false;
    const lowered = [...heavy.values()].filter((isPage) => isPage).length;
    this.#saturatedPolls = lowered < availableParallelism() ? 0 : this.#saturatedPolls + 1;
    if (this.#saturatedPolls >= SATURATED_POLLS) this.#onSaturated();
  }

  /** Chromium forks the processes of pages from its zygotes, which are children of the main process or of one another. */
  async #candidates(): Promise<readonly number[]> {
    if (this.#zygotes.length === 0) this.#zygotes = await findZygotes(this.#browserPid);
    const children = await Promise.all(this.#zygotes.map((zygote) => childrenOf(zygote, zygote)));
    return children.flat();
  }
}

async function findZygotes(parent: number): Promise<readonly number[]> {
  const threads = await threadIds(parent);
  const children = (await Promise.all(threads.map((thread) => childrenOf(parent, thread)))).flat();
  const zygotes: number[] = [];
  for (const child of children)
    if (await isProcessType(child, 'zygote')) zygotes.push(child, ...(await findZygotes(child)));
  return zygotes;
}

const isProcessType = async (pid: number, type: string): Promise<boolean> =>
  (await readProc(`${pid}/cmdline`)).includes(`--type=${type}`);

/**
 * Sets the scheduling policy SCHED_IDLE: other processes of the browser get the CPU at once, not only at the end of a time
 * slice. That matters more than CPU shares, because processes exchange hundreds of short messages to load a page. Node.js
 * cannot set it, but chrt(1) can. Without chrt, only the nice value is set.
 */
async function lowerPage(pid: number): Promise<void> {
  for (const thread of await threadIds(pid)) lowerThread(thread, PAGE_NICE);
  await new Promise<void>((resolve) => {
    // The 0 is the priority: SCHED_IDLE has no other.
    execFile('chrt', ['--idle', '--all-tasks', '--pid', '0', String(pid)], () => resolve());
  });
}

/** On Linux each thread has a nice value of its own; threads that it starts inherit it. */
function lowerThread(thread: number, nice: number): void {
  try {
    if (getPriority(thread) < nice) setPriority(thread, nice);
  } catch {
    // The thread has ended, or belongs to a user whose processes this one may not change.
  }
}

const threadIds = async (pid: number): Promise<readonly number[]> =>
  (await readdir(`/proc/${pid}/task`).catch(() => [])).map(Number);

/** The processes that a thread has started. */
async function childrenOf(pid: number, thread: number): Promise<readonly number[]> {
  const list = await readProc(`${pid}/task/${thread}/children`);
  return list.split(' ').filter(Boolean).map(Number);
}

/** proc(5): times are in hundredths of a second, whatever the kernel's own unit is. */
const TICK_MS = 10;

/** CPU time of all threads of a process; 0 when it has ended. */
async function cpuMs(pid: number): Promise<number> {
  const stat = await readProc(`${pid}/stat`);
  // The name of the program, in brackets, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // `utime` and `stime`: fields 14 and 15 of proc(5), which counts from 1; the first two come before the split.
  return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const readProc = (path: string): Promise<string> => readFile(`/proc/${path}`, 'latin1').catch(() => '');
