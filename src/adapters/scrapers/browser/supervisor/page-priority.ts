import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { letOthersFirst, lower, threadsOf } from './scheduling.ts';

/** How often the processes of pages are looked at while any page is open. */
const LOOK_MS = 200;
/** proc(5), `utime`: the unit of the kernel for programs, whatever its own is. */
const TICK_MS = 10;

/**
 * What a page has used of a processor, in ms, and the nice value (sched(7)) from there on. Most pages are
 * ready within the first; who has begun counts nine times as much then. At the last it also has the policy SCHED_IDLE:
 * whoever else of its browser has something to do gets the processor at once, and not when the page's turn is over,
 * which matters more than shares: a page is hundreds of short messages between processes.
 */
const LEVELS = [
  { afterMs: 600, nice: 19, idle: true },
  { afterMs: 300, nice: 10, idle: false },
] as const;

type Level = (typeof LEVELS)[number];

/** Blink's names of threads that run scripts beside the page, which the kernel cuts after 15 characters. */
const WORKER = /^(?:Dedicated|Shared|Service)Worker|Worklet/;
/** So many workers get the policy at one look: for each of them a program is started. */
const MOST_IDLE = 8;

/** Looks in a row, a second: an honest page is done by then, if the processors are for it alone. */
const FULL_LOOKS = 5;

type Kind = 'page' | 'zygote' | 'other';

/**
 * Lets pages whose scripts never end give way to the others of their browser. Each page has a process of its own, which
 * ends with it: what was lowered is never raised again. Workers come after their page, too: by what both have used, the
 * page itself by what it has used alone. Does nothing where there is no /proc.
 */
export class PagePriority {
  readonly #browser: number;
  readonly #onFull: () => void;
  /** By process: null, when only its workers were lowered. */
  #lowered = new Map<number, Level | null>();
  #kinds = new Map<number, Kind>();
  /** Those that the browser itself made, once for all; none until they are found. */
  #zygotes: readonly number[] = [];
  #timer: NodeJS.Timeout | null = null;
  #looking = false;
  /** Looks in a row that found all processors taken. */
  #full = 0;

  /**
   * @param browser the first process of the browser
   * @param onFull told again and again while as many pages as there are processors have been lowered for a second
   */
  constructor(browser: number, onFull: () => void) {
    this.#browser = browser;
    this.#onFull = onFull;
  }

  start(): void {
    if (process.platform !== 'linux') return;
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const pages = await this.#pages();
    for (const pid of pages) await this.#settle(pid);
    this.#lowered = new Map([...this.#lowered].filter(([pid]) => pages.includes(pid)));
    this.#looking = false;
    this.#full = this.#lowered.size < availableParallelism() ? 0 : this.#full + 1;
    if (this.#full >= FULL_LOOKS) this.#onFull();
  }

  async #settle(pid: number): Promise<void> {
    const used = await usedMs(`/proc/${pid}`);
    const level = levelOf(used);
    if (level === undefined || this.#lowered.get(pid) === level) return;
    const threads = await threadsOf(pid);
    const workers = await workersAmong(pid, threads);
    const times = await Promise.all(workers.map((thread) => usedMs(`/proc/${pid}/task/${thread}`)));
    const own = levelOf(times.reduce((left, ms) => left - ms, used));
    if (own !== undefined && this.#lowered.get(pid) !== own) {
      lower(threads, own.nice);
      if (own.idle) await letOthersFirst(pid, 'process');
    }
    this.#lowered.set(pid, own ?? null);
    // At each look: its page makes them as it is itself.
    const late = own === level ? [] : lower(workers, level.nice);
    if (level.idle)
      await Promise.all(late.slice(0, MOST_IDLE).map((worker) => letOthersFirst(worker, 'thread')));
  }

  /** Chromium makes the processes of pages by its zygotes, which are its children, or children of one another. */
  async #pages(): Promise<readonly number[]> {
    if (this.#zygotes.length === 0) this.#zygotes = await zygotesOf(this.#browser);
    const pages: number[] = [];
    const kinds = new Map<number, Kind>();
    const descend = async (zygote: number): Promise<void> => {
      for (const child of await madeBy(zygote, zygote)) {
        const kind = this.#kinds.get(child) ?? (await kindOf(child));
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

async function kindOf(pid: number): Promise<Kind> {
  const line = await read(`/proc/${pid}/cmdline`);
  if (line.includes('--type=renderer')) return 'page';
  return line.includes('--type=zygote') ? 'zygote' : 'other';
}

async function zygotesOf(browser: number): Promise<readonly number[]> {
  const made = (await threadsOf(browser)).map((thread) => madeBy(browser, thread));
  const children = (await Promise.all(made)).flat();
  const kinds = await Promise.all(children.map(kindOf));
  return children.filter((_, at) => kinds[at] === 'zygote');
}

/** Processes that a thread made, and that have not been waited for. */
async function madeBy(pid: number, thread: number): Promise<readonly number[]> {
  const list = await read(`/proc/${pid}/task/${thread}/children`);
  return list.split(' ').filter(Boolean).map(Number);
}

const levelOf = (usedMs: number): Level | undefined => LEVELS.find(({ afterMs }) => usedMs >= afterMs);

async function workersAmong(pid: number, threads: readonly number[]): Promise<readonly number[]> {
  const names = await Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/comm`)));
  return threads.filter((_, at) => WORKER.test(names[at]!));
}

/** Processor time of all threads of a process, or of one thread; 0 when it has ended. */
async function usedMs(path: string): Promise<number> {
  const stat = await read(`${path}/stat`);
  // The name of the program, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const read = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');
