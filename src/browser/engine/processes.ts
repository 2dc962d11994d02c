import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, constants, readdir, readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import type { OsUser } from '../../base/unprivileged-user.ts';
import { sleep } from '../../base/wait.ts';

interface ProcessOptions {
  readonly path: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly user: OsUser | null;
  /** Number of pipes besides stdout and stderr, from descriptor 3 on. */
  readonly pipes: number;
}

export interface StartedProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pipes: readonly (Readable & Writable)[];
  /** Resolves when the process has ended, with a text such as `it ended with exit code 1`. */
  readonly exited: Promise<string>;
  /** Call it when the process has ended. */
  closeStreams(): void;
}

/** Starts a program as the leader of its own process group. Never rejects. */
export async function startProcess(options: ProcessOptions): Promise<StartedProcess | Error> {
  const spawnOptions: SpawnOptions = {
    cwd: options.cwd,
    env: { ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...Array.from({ length: options.pipes }, () => 'pipe' as const)],
    ...options.user,
  };
  let child: ChildProcess;
  try {
    child = spawn(options.path, options.args, spawnOptions);
  } catch (error) {
    return error as Error;
  }
  // Other errors of `spawn` are emitted as an event.
  if (child.pid === undefined) {
    return new Promise((resolve) => {
      child.once('error', (error) => {
        // The streams may be missing after such an error.
        for (const stream of child.stdio ?? []) stream?.destroy();
        resolve(error);
      });
    });
  }
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`));
  });
  // For example a signal that cannot be sent.
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

/** Killed processes need a moment to end. One that takes longer is blocked by the kernel, for example by a slow disk. */
const EXIT_TIMEOUT_MS = 1_000;
const POLL_MS = 10;

/** Kills all processes of a group, and settles when they have ended. @param leader pid of its leader, which may have ended */
export async function killProcessGroup(leader: number): Promise<void> {
  const until = performance.now() + EXIT_TIMEOUT_MS;
  while (signalProcessGroup(leader, 'SIGKILL') && (await hasLiveProcess(leader)) && performance.now() < until)
    await sleep(POLL_MS);
}

/** @returns false if the group has no processes any more */
export function signalProcessGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
}

/** Zombies do not count: they have ended, and hold no resources. */
async function hasLiveProcess(groupId: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return (await listProcesses()).some(({ group, state }) => group === groupId && state !== 'Z');
}

interface ProcessStat {
  readonly pid: number;
  /** A letter, as in proc(5). */
  readonly state: string;
  readonly group: number;
}

/** All visible processes of this machine; none without /proc. */
export async function listProcesses(): Promise<readonly ProcessStat[]> {
  const names = await readdir('/proc').catch(() => []);
  const reads = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null);
      if (stat === null) return [];
      // The name of the program, in brackets, may hold anything.
      // Fields 3 to 5 of proc(5): state, parent, process group.
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), state: state!, group: Number(group) }];
    });
  return (await Promise.all(reads)).flat();
}

/**
 * The start time of a process, in clock ticks since the machine was booted (proc(5), field 22). It tells processes apart that
 * had the same pid. 0: unknown, because there is no /proc; null: there is no such process.
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

/** Identifies this process among all since the machine was booted. The names of its folders begin with it. */
export const PROCESS_MARK: string = `${process.pid}-${startTicks(process.pid)}`;

/** Whether the process that made this name still runs: the name begins with its mark. */
export function isMarkedProcessAlive(name: string): boolean {
  const [, pid, ticks] = /^(\d+)-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && startTicks(Number(pid)) === Number(ticks);
}

/**
 * The most private memory of one browser process, in KiB. An empty page allocates 0.6 GiB, most of which it never touches, and
 * a screenshot of 100,000 pixels height takes 0.8 GiB. Shared memory, such as images between processes, does not count.
 */
const MAX_DATA_KIB = 2 * 2 ** 20;
/** The JavaScript heap of a page. V8 ends a page that needs more, before it spends its time on garbage collection. */
export const MAX_JS_HEAP_MIB = 768;

const SHELL = '/bin/sh';
/** Unsets the variables that the shell adds. A limit that cannot be set, because a lower one applies, is left as it is. */
const LIMIT_SCRIPT = 'unset PWD OLDPWD SHLVL; ulimit -c 0; ulimit -d "$0"; exec "$@"';

interface CommandLine {
  readonly path: string;
  readonly args: readonly string[];
}

/**
 * The command line that starts a program with limits for each of its processes (getrlimit(2), RLIMIT_DATA, RLIMIT_CORE). A
 * process that exceeds them ends alone, and the machine does not run out of memory. Without Linux or a shell there are no
 * limits. Rejects when there is no such program.
 */
export async function withResourceLimits({ path, args }: CommandLine): Promise<CommandLine> {
  try {
    await access(path, constants.X_OK);
  } catch (error) {
    // The same text as the error of `spawn` without the shell.
    throw new Error(`spawn ${path} ${(error as NodeJS.ErrnoException).code}`);
  }
  if (process.platform !== 'linux') return { path, args };
  const hasShell = await access(SHELL, constants.X_OK).then(
    () => true,
    () => false,
  );
  return hasShell
    ? { path: SHELL, args: ['-c', LIMIT_SCRIPT, String(MAX_DATA_KIB), path, ...args] }
    : { path, args };
}
