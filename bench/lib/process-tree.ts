import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface Entry {
  readonly pid: number;
  readonly parent: number;
  /** User and system time of the process, and of the children that ended and that it took notice of. */
  readonly ticks: number;
}

let ticksPerSecond: number | undefined;

/** Kinds of processes: those of the driver or service, and those of browsers by what they do. */
export const KINDS = ['driver', 'browser', 'network', 'renderer', 'gpu'] as const;
export type CpuByKind = Readonly<Record<(typeof KINDS)[number], number>>;

/**
 * User and system time that a process and all that descend from it have used, in seconds, with those that have ended: each
 * is in the account of its parent, renderers in that of the zygote. Only orphans are missing. Linux only.
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

/** The command line of the browser that descends from a process, without its own children. */
export function browserBelow(root: number): readonly string[] | null {
  for (const { pid } of tree(root)) {
    const words = wordsOf(pid);
    if (words.includes('--headless') && !words.some((word) => word.startsWith('--type='))) return words;
  }
  return null;
}

function tree(root: number): readonly Entry[] {
  const below = new Map<number, Entry[]>();
  let top: Entry | undefined;
  for (const entry of readdirSync('/proc').flatMap(entryOf)) {
    const siblings = below.get(entry.parent);
    if (siblings === undefined) below.set(entry.parent, [entry]);
    else siblings.push(entry);
    if (entry.pid === root) top = entry;
  }
  const all = top === undefined ? [] : [top];
  for (const entry of all) all.push(...(below.get(entry.pid) ?? []));
  return all;
}

function entryOf(name: string): Entry[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The name (field 2) may hold anything; what follows its closing bracket begins with field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function wordsOf(pid: number): readonly string[] {
  try {
    // Chromium names the processes that it forks by one text.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split(/[\0 ]/)
      .filter((word) => word !== '');
  } catch {
    return [];
  }
}
