import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  /** Everything printed so far (empty if `stdio` sends the stream to a file). */
  stdout(): string;
  stderr(): string;
  readonly exited: Promise<Exit>;
  running(): boolean;
  kill(signal: NodeJS.Signals): void;
  /** Waits until stdout matches, and returns the match. Rejects if the process ends or `ms` pass before. */
  printed(pattern: RegExp, ms?: number): Promise<RegExpExecArray>;
}

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdio?: StdioOptions;
  /** Text for its stdin. */
  readonly input?: string;
  /** The user that the process runs as; only root may set it. */
  readonly uid?: number;
  readonly gid?: number;
  /** It leads a process group, and `kill` ends all of that. */
  readonly isGroup?: boolean;
}

/** Starts a process and collects what it prints. */
export function startChild(command: string, args: readonly string[], options: ChildOptions = {}): Child {
  const child: ChildProcess = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: options.stdio ?? ['pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
    detached: options.isGroup === true,
  });
  let out = '';
  let err = '';
  let ended = false;
  const watchers = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    for (const check of watchers) check();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.input);
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (error) => {
      err += String(error);
      ended = true;
      resolve({ code: 127, signal: null });
    });
    child.once('close', (code, signal) => {
      ended = true;
      resolve({ code, signal });
    });
  });
  void exited.then(() => {
    for (const check of watchers) check();
  });
  return {
    pid: child.pid ?? -1,
    stdout: () => out,
    stderr: () => err,
    exited,
    running: () => !ended,
    kill(signal) {
      if (options.isGroup !== true) child.kill(signal);
      else if (!ended) killGroup(child.pid!, signal);
    },
    printed: (pattern, ms = 60_000) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          watchers.delete(check);
          settle();
        };
        const check = () => {
          const match = pattern.exec(out);
          if (match !== null) finish(() => resolve(match));
          else if (ended) finish(() => reject(new Error(`${command} ended early:\n${out}${err}`)));
        };
        const timer = setTimeout(
          () => finish(() => reject(new Error(`${command} did not print ${pattern}:\n${out}${err}`))),
          ms,
        );
        watchers.add(check);
        check();
      }),
  };
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    // All of them have just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Runs a process to its end. */
export async function runChild(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  const child = startChild(command, args, options);
  const exit = await child.exited;
  return { ...exit, stdout: child.stdout(), stderr: child.stderr() };
}
