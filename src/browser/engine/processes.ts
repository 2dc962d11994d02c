import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, constants, readdir, readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { sleep } from '../../base/wait.ts';

/** A user of the operating system, by numbers. */
export interface BrowserUser {
  readonly uid: number;
  readonly gid: number;
}

/** Belongs to no account, and not to the ranges that adduser and systemd give away; below 65,536 for containers. */
const UNPRIVILEGED_ID = 64_137;

/**
 * Who browsers run as: null, the user of the service, unless that is root. Then it is a user that owns nothing else: what
 * breaks out of a browser must not find itself root.
 */
export function browserUser(): BrowserUser | null {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : null;
}

interface ProcessOptions {
  readonly path: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly user: BrowserUser | null;
  /** How many pipes it gets beside stdout and stderr, from descriptor 3 on. */
  readonly pipes: number;
}

export interface StartedProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pipes: readonly (Readable & Writable)[];
  /** Settles with the way it ended. */
  readonly exited: Promise<string>;
  /** Lets go of its streams; for when it has ended. */
  closeStreams(): void;
}

/** Starts a program as the leader of a group of its own; gives the reason where that is refused. Never rejects. */
export async function startProcess(ask: ProcessOptions): Promise<StartedProcess | Error> {
  const options: SpawnOptions = {
    cwd: ask.cwd,
    env: { ...ask.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...Array.from({ length: ask.pipes }, () => 'pipe' as const)],
    ...ask.user,
  };
  let child: ChildProcess;
  try {
    child = spawn(ask.path, ask.args, options);
  } catch (error) {
    // Some refusals are thrown, the others come as an event; then there may be no streams.
    return error as Error;
  }
  if (child.pid === undefined) {
    return new Promise((resolve) => {
      child.once('error', (error) => {
        for (const stream of child.stdio ?? []) stream?.destroy();
        resolve(error);
      });
    });
  }
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`));
  });
  // A signal that cannot be sent, say.
  child.on('error', () => {});
  return {
    pid: child.pid,
    stdout: child.stdout!,
    stderr: child.stderr!,
    pipes: child.stdio.slice(3) as unknown as readonly (Readable & Writable)[],
    exited,
    closeStreams() {
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}

/** Processes that were killed need a moment to go; one that does not, waits for a disk. */
const EXIT_TIMEOUT_MS = 1_000;
const POLL_MS = 10;

/** Kills all processes of a group, and settles when they are gone. `pid`: its leader, which may have ended before. */
export async function killProcessGroup(pid: number): Promise<void> {
  const until = performance.now() + EXIT_TIMEOUT_MS;
  while (signalProcessGroup(pid, 'SIGKILL') && (await hasLiveProcess(pid)) && performance.now() < until)
    await sleep(POLL_MS);
}

/** false when there is no such group any more. */
export function signalProcessGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** What has ended and waits for its parent to take notice (a zombie) holds nothing any more. */
async function hasLiveProcess(group: number): Promise<boolean> {
  for (const { state, group: of } of await listProcesses()) if (of === group && state !== 'Z') return true;
  return process.platform !== 'linux';
}

interface ProcessStat {
  readonly pid: number;
  /** A letter of proc(5). */
  readonly state: string;
  readonly group: number;
}

/** All processes of this machine that are to be seen; none where there is no /proc. */
export async function listProcesses(): Promise<readonly ProcessStat[]> {
  const names = await readdir('/proc').catch(() => []);
  const read = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null);
      if (stat === null) return [];
      // The name of the program, in brackets, may hold anything.
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), state: state!, group: Number(group) }];
    });
  return (await Promise.all(read)).flat();
}

/**
 * When a process began, in ticks since the machine did (proc(5), field 22): with it a number that was given away again
 * is told from the process that had it. 0 where there is no /proc; null when there is no such process.
 */
function startTicks(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in brackets, may hold anything.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    if (process.platform === 'linux') return null;
    try {
      process.kill(pid, 0);
      return 0;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM' ? 0 : null;
    }
  }
}

/** What names this process among all that ever ran here: the beginning of names of its folders. */
export const PROCESS_MARK: string = `${process.pid}-${startTicks(process.pid)}`;

/** Whether the process still runs whose mark a name begins with. */
export function isMarkedProcessAlive(name: string): boolean {
  const [, pid, ticks] = /^(\d+)-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && startTicks(Number(pid)) === Number(ticks);
}

/**
 * What one process of a browser may have of memory of its own, in KiB: an empty page has 0.6 GiB of it, most of which it
 * never touches, and one of 100,000 pixels in a picture 0.8. What is shared, such as pictures on their way, is not counted.
 */
const MAX_DATA_KIB = 2 * 2 ** 20;
/** MiB of objects of a page's scripts: V8 ends a page that has more, before it takes the time to look for free ones. */
export const MAX_JS_HEAP_MIB = 768;

const SHELL = '/bin/sh';
/** The shell tells programs where it stands; what it cannot do, where the machine allows even less, is left as it is. */
const LIMIT_SCRIPT = 'unset PWD OLDPWD SHLVL; ulimit -c 0; ulimit -d "$0"; exec "$@"';

interface CommandLine {
  readonly path: string;
  readonly args: readonly string[];
}

/**
 * The words that start a program with limits for it and all its processes (getrlimit(2), RLIMIT_DATA, RLIMIT_CORE):
 * who goes beyond ends alone, and the machine is not asked for what it has not. Where they cannot be set (no Linux, no
 * shell), the program itself. Rejects when there is no such program.
 */
export async function withResourceLimits({ path, args }: CommandLine): Promise<CommandLine> {
  try {
    await access(path, constants.X_OK);
  } catch (error) {
    // As it would be without the shell.
    throw new Error(`spawn ${path} ${(error as NodeJS.ErrnoException).code}`);
  }
  if (process.platform !== 'linux') return { path, args };
  const shell = await access(SHELL, constants.X_OK).then(
    () => true,
    () => false,
  );
  return shell
    ? { path: SHELL, args: ['-c', LIMIT_SCRIPT, String(MAX_DATA_KIB), path, ...args] }
    : { path, args };
}
