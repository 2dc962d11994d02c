import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { BrowserUser } from './browser-user.ts';

export interface ProcessAsk {
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
  readonly ended: Promise<string>;
  /** Lets go of its streams; for when it has ended. */
  release(): void;
}

/** Starts a program as the leader of a group of its own; gives the reason where that is refused. Never rejects. */
export async function startProcess(ask: ProcessAsk): Promise<StartedProcess | Error> {
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
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`));
  });
  // A signal that cannot be sent, say.
  child.on('error', () => {});
  return {
    pid: child.pid,
    stdout: child.stdout!,
    stderr: child.stderr!,
    pipes: child.stdio.slice(3) as unknown as readonly (Readable & Writable)[],
    ended,
    release() {
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}
