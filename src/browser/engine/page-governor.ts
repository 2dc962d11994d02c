import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { listProcesses } from './processes.ts';

/**
 * A third of what others get (sched(7): each step is a factor of 1.25), where both want the processors. With 19 it is a
 * seventieth: on a busy machine no page would come to its end in time.
 */
const QUARANTINE_NICE = 5;
const MAX_PASSES = 10;

/**
 * Gives these threads this nice value at least; each has one of its own on Linux, and those that it makes later take it
 * over.
 * @returns those that had less
 */
function lowerThreads(threads: readonly number[], nice: number): readonly number[] {
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
const setIdlePolicy = (id: number, which: 'thread' | 'process'): Promise<void> =>
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
  await writeFile(`/proc/${leader}/autogroup`, String(QUARANTINE_NICE)).catch(() => {});
  // What is made meanwhile, by a thread whose turn has not come, is found by the next pass.
  for (let passes = 0, changed = true; changed && passes < MAX_PASSES; passes++) {
    const own = (await listProcesses()).filter(({ group }) => group === leader);
    const threads = (await Promise.all(own.map(({ pid }) => threadIds(pid)))).flat();
    changed = lowerThreads(threads, QUARANTINE_NICE).length > 0;
  }
}

const threadIds = async (pid: number): Promise<readonly number[]> =>
  (await readdir(`/proc/${pid}/task`).catch(() => [])).map(Number);

/** How often the processes of pages are looked at while any page is open. */
const POLL_MS = 200;
/** proc(5), `utime`: the unit of the kernel for programs, whatever its own is. */
const TICK_MS = 10;

/**
 * What a page has used of a processor, in ms, and the nice value (sched(7)) from there on. Most pages are
 * ready within the first; who has begun counts nine times as much then. At the last it also has the policy SCHED_IDLE:
 * whoever else of its browser has something to do gets the processor at once, and not when the page's turn is over,
 * which matters more than shares: a page is hundreds of short messages between processes.
 */
const PRIORITY_LEVELS = [
  { afterMs: 600, nice: 19, idle: true },
  { afterMs: 300, nice: 10, idle: false },
] as const;

type PriorityLevel = (typeof PRIORITY_LEVELS)[number];

/** Blink's names of threads that run scripts beside the page, which the kernel cuts after 15 characters. */
const WORKER_THREAD = /^(?:Dedicated|Shared|Service)Worker|Worklet/;
/** So many workers get the policy at one look: for each of them a program is started. */
const MAX_IDLE_PER_POLL = 8;

/** Looks in a row, a second: an honest page is done by then, if the processors are for it alone. */
const SATURATED_POLLS = 5;

type ProcessKind = 'page' | 'zygote' | 'other';

/**
 * Lets pages whose scripts never end give way to the others of their browser. Each page has a process of its own, which
 * ends with it: what was lowered is never raised again. Workers come after their page, too: by what both have used, the
 * page itself by what it has used alone. Does nothing where there is no /proc.
 */
export class PageGovernor {
  readonly #browserPid: number;
  readonly #onSaturated: () => void;
  /** By process: null, when only its workers were lowered. */
  #lowered = new Map<number, PriorityLevel | null>();
  #kinds = new Map<number, ProcessKind>();
  /** Those that the browser itself made, once for all; none until they are found. */
  #zygotes: readonly number[] = [];
  #timer: NodeJS.Timeout | null = null;
  #polling = false;
  /** Looks in a row that found all processors taken. */
  #saturatedPolls = 0;

  /**
   * @param browser the first process of the browser
   * @param onFull told again and again while as many pages as there are processors have been lowered for a second
   */
  constructor(browser: number, onFull: () => void) {
    this.#browserPid = browser;
    this.#onSaturated = onFull;
  }

  start(): void {
    if (process.platform !== 'linux') return;
    this.#timer ??= setInterval(() => void this.#poll(), POLL_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    const pages = await this.#pageProcesses();
    for (const pid of pages) await this.#adjust(pid);
    this.#lowered = new Map([...this.#lowered].filter(([pid]) => pages.includes(pid)));
    this.#polling = false;
    this.#saturatedPolls = this.#lowered.size < availableParallelism() ? 0 : this.#saturatedPolls + 1;
    if (this.#saturatedPolls >= SATURATED_POLLS) this.#onSaturated();
  }

  async #adjust(pid: number): Promise<void> {
    const used = await cpuMs(`/proc/${pid}`);
    const level = priorityLevel(used);
    if (level === undefined || this.#lowered.get(pid) === level) return;
    const threads = await threadIds(pid);
    const workers = await workerThreads(pid, threads);
    const times = await Promise.all(workers.map((thread) => cpuMs(`/proc/${pid}/task/${thread}`)));
    const own = priorityLevel(times.reduce((left, ms) => left - ms, used));
    if (own !== undefined && this.#lowered.get(pid) !== own) {
      lowerThreads(threads, own.nice);
      if (own.idle) await setIdlePolicy(pid, 'process');
    }
    this.#lowered.set(pid, own ?? null);
    // At each look: its page makes them as it is itself.
    const late = own === level ? [] : lowerThreads(workers, level.nice);
    if (level.idle)
      await Promise.all(late.slice(0, MAX_IDLE_PER_POLL).map((worker) => setIdlePolicy(worker, 'thread')));
  }

  /** Chromium makes the processes of pages by its zygotes, which are its children, or children of one another. */
  async #pageProcesses(): Promise<readonly number[]> {
    if (this.#zygotes.length === 0) this.#zygotes = await findZygotes(this.#browserPid);
    const pages: number[] = [];
    const kinds = new Map<number, ProcessKind>();
    const descend = async (zygote: number): Promise<void> => {
      for (const child of await childProcesses(zygote, zygote)) {
        const kind = this.#kinds.get(child) ?? (await processKind(child));
        // A process that was just made still bears the words of the zygote.
        if (kind !== 'zygote') kinds.set(child, kind);
        if (kind === 'page') pages.push(child);
        if (kind === 'zygote') await descend(child);
      }
    };
    for (const zygote of this.#zygotes) await descend(zygote);
    this.#kinds = kinds;
    return pages;
  }
}

async function processKind(pid: number): Promise<ProcessKind> {
  const line = await readProcFile(`/proc/${pid}/cmdline`);
  if (line.includes('--type=renderer')) return 'page';
  return line.includes('--type=zygote') ? 'zygote' : 'other';
}

async function findZygotes(browser: number): Promise<readonly number[]> {
  const made = (await threadIds(browser)).map((thread) => childProcesses(browser, thread));
  const children = (await Promise.all(made)).flat();
  const kinds = await Promise.all(children.map(processKind));
  return children.filter((_, at) => kinds[at] === 'zygote');
}

/** Processes that a thread made, and that have not been waited for. */
async function childProcesses(pid: number, thread: number): Promise<readonly number[]> {
  const list = await readProcFile(`/proc/${pid}/task/${thread}/children`);
  return list.split(' ').filter(Boolean).map(Number);
}

const priorityLevel = (usedMs: number): PriorityLevel | undefined =>
  PRIORITY_LEVELS.find(({ afterMs }) => usedMs >= afterMs);

async function workerThreads(pid: number, threads: readonly number[]): Promise<readonly number[]> {
  const names = await Promise.all(threads.map((thread) => readProcFile(`/proc/${pid}/task/${thread}/comm`)));
  return threads.filter((_, at) => WORKER_THREAD.test(names[at]!));
}

/** Processor time of all threads of a process, or of one thread; 0 when it has ended. */
async function cpuMs(path: string): Promise<number> {
  const stat = await readProcFile(`${path}/stat`);
  // The name of the program, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const readProcFile = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');
