import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { letOthersFirst, lower, threadsOf } from './scheduling.ts';

/** How often the processes of pages are looked at while any page is open. */
const LOOK_MS = 200;
/** proc(5), `utime`: the unit of the kernel for programs, whatever its own is. */
const TICK_MS = 10;

/**
 * What a process of a page has used of a processor, in ms, and the nice value (sched(7)) from there on. Most pages are
 * ready within the first; who has begun counts nine times as much then. At the last it also has the policy SCHED_IDLE:
 * whoever else of its browser has something to do gets the processor at once, and not when the page's turn is over,
 * which matters more than shares: a page is hundreds of short messages between processes.
 */
const LEVELS = [
  { afterMs: 600, nice: 19, idle: true },
  { afterMs: 300, nice: 10, idle: false },
] as const;

/** Looks in a row, a second: an honest page is done by then, if the processors are for it alone. */
const FULL_LOOKS = 5;

type Kind = 'page' | 'zygote' | 'other';

/**
 * Lets pages whose scripts never end give way to the others of their browser. Each page has a process of its own, which
 * ends with it: what was lowered is never raised again. Does nothing where there is no /proc.
 */
export class PagePriority {
  readonly #browser: number;
  readonly #onFull: () => void;
  /** Nice values that were set, by process. */
  #lowered = new Map<number, number>();
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
    for (const pid of pages) {
      const used = await usedMs(pid);
      const level = LEVELS.find(({ afterMs }) => used >= afterMs);
      if (level === undefined || this.#lowered.get(pid) === level.nice) continue;
      this.#lowered.set(pid, level.nice);
      await lower(pid, level.nice);
      if (level.idle) await letOthersFirst(pid);
    }
    this.#lowered = new Map([...this.#lowered].filter(([pid]) => pages.includes(pid)));
    this.#looking = false;
    this.#full = this.#lowered.size < availableParallelism() ? 0 : this.#full + 1;
    if (this.#full >= FULL_LOOKS) this.#onFull();
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

/** Processor time of all threads of a process; 0 when it has ended. */
async function usedMs(pid: number): Promise<number> {
  const stat = await read(`/proc/${pid}/stat`);
  // The name of the program, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const read = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');
