import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanEnvironment } from '../../test/helpers/repository.ts';
import type { BenchBrowser } from './bench-browser.ts';
import type { Turn, TurnResult } from './turns.ts';

/** One of the services and libraries that the browser benchmark compares. */
export interface Contender {
  readonly name: string;
  /** The process that does the work, together with its descendants. */
  readonly pid: number;
  runTurn(turn: Turn): Promise<TurnResult>;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
/** A turn ends by itself; after this time beyond its length the program hangs. */
const HANG_MS = 90_000;

export interface ContenderOptions {
  readonly name: string;
  /** Path relative to bench/. */
  readonly program: string;
  readonly args?: readonly string[];
  /** The browser for a program that starts it itself; the program then runs as the user of browsers. */
  readonly browser?: BenchBrowser;
  /** The process that does the work, if it is not the program itself. */
  readonly pid?: number;
}

/** Starts a program that calls `serveTurns`. Rejects, with the program's output, if it does not become ready. */
export async function startContender(options: ContenderOptions): Promise<Contender> {
  const child = fork(join(import.meta.dirname, '..', options.program), [...(options.args ?? [])], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    ...(options.browser === undefined ? { env: cleanEnvironment() } : options.browser.spawnOptions()),
  });
  let output = '';
  const collect = (piece: Buffer) => {
    output = (output + piece.toString('utf8')).slice(-2_000);
  };
  child.stdout!.on('data', collect);
  child.stderr!.on('data', collect);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(timer);
  };
  try {
    await nextMessage(child, START_TIMEOUT_MS);
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}: ${output.trim().split('\n').slice(-4).join(' | ')}`);
  }
  return {
    name: options.name,
    pid: options.pid ?? child.pid!,
    async runTurn(turn) {
      child.send(turn);
      return (await nextMessage(child, turn.seconds * 1000 + HANG_MS)) as TurnResult;
    },
    stop,
  };
}

function nextMessage(child: ChildProcess, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onError);
      settle();
    };
    const onMessage = (message: unknown) => finish(() => resolve(message));
    const onExit = (code: number | null) =>
      finish(() => reject(new Error(`the program ended with exit code ${code}`)));
    const onError = (error: Error) => finish(() => reject(error));
    const timer = setTimeout(
      () => finish(() => reject(new Error(`the program did not respond within ${timeoutMs / 1000} s`))),
      timeoutMs,
    );
    child.once('message', onMessage);
    child.once('exit', onExit);
    child.once('error', onError);
  });
}
