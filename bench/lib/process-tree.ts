import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface Entry {
  readonly pid: number;
  readonly parent: number;
  /** User and system time of the process, and of its ended children that it has waited for. */
  readonly ticks: number;
}

let ticksPerSecond: number | undefined;

/** Kinds of processes: `driver` for the driver or service, the others for the processes of a browser. */
export const KINDS = ['driver', 'browser', 'network', 'renderer', 'gpu'] as const;
export type CpuByKind = Readonly<Record<(typeof KINDS)[number], number>>;

/**
 * User and system time of a process and its descendants, in seconds. The kernel adds the time of an ended process to its
 * parent (that of a renderer to Chromium's zygote), so only ended orphans are missing. Linux only.
 */
export function treeCpu(root: number): CpuByKind {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const used = { driver: 0, browser: 0, network: 0, renderer: 0, gpu: 0 };
  for (const { pid, ticks } of tree(root)) used[kindOf(wordsOf(pid))] += ticks / ticksPerSecond;
  return used;
}

function kindOf(words: readonly string[]): keyof CpuByKind {
  const type = words.find((word) => word.startsWith('--type='))?.slice('--type='.length);
  if (type === undefined) return words.includes('--headless') ? 'browser' : 'driver';
  if (type === 'utility') return 'network';
  return type === 'gpu-process' ? 'gpu' : 'renderer';
}

/** The command line of the main process of the browser that descends from a process; null: there is none. */
export function browserBelow(root: number): readonly string[] | null {
  for (const { pid } of tree(root)) {
    const words = wordsOf(pid);
    if (words.includes('--headless') && !words.some((word) => word.startsWith('--type='))) return words;
  }
  return null;
}

function tree(root: number): readonly Entry[] {
  const childrenOf = new Map<number, Entry[]>();
  let top: Entry | undefined;
  for (const entry of readdirSync('/proc').flatMap(entryOf)) {
    const siblings = childrenOf.get(entry.parent);
    if (siblings === undefined) childrenOf.set(entry.parent, [entry]);
    else siblings.push(entry);
    if (entry.pid === root) top = entry;
  }
  const all = top === undefined ? [] : [top];
  // The loop also visits the entries that it appends.
  for (const entry of all) all.push(...(childrenOf.get(entry.pid) ?? []));
  return all;
}

function entryOf(name: string): Entry[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    // proc_pid_stat(5): the name (field 2) may contain spaces and brackets, so the fields are counted from 3 behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
  } catch {
    // The process has ended meanwhile.
    return [];
  }
}

function wordsOf(pid: number): readonly string[] {
  try {
    // Processes that Chromium forks have their whole command line in the first argument, separated by spaces.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split(/[\0 ]/)
      .filter((word) => word !== '');
  } catch {
    return [];
  }
}
