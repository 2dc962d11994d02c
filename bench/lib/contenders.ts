import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanEnvironment } from '../../test/helpers/repository.ts';
import type { BenchBrowser } from './bench-browser.ts';
import type { Turn, Turned } from './turns.ts';

export interface Contender {
  readonly name: string;
  /** The process whose tree does the work. */
  readonly pid: number;
  take(turn: Turn): Promise<Turned>;
  stop(): Promise<void>;
}

const STARTING_MS = 30_000;
/** A turn ends by itself; what takes this long beyond its time hangs. */
const HANGING_MS = 90_000;

export interface ContenderAsk {
  readonly name: string;
  /** Relative to bench/. */
  readonly program: string;
  readonly args?: readonly string[];
  /** The browser that it starts itself, as the user that browsers run as. */
  readonly browser?: BenchBrowser;
  /** The process whose tree does the work, where it is not the program itself. */
  readonly pid?: number;
}

/** Starts a program that serves turns. Rejects, with what it said, when it does not get ready. */
export async function startContender(ask: ContenderAsk): Promise<Contender> {
  const child = fork(join(import.meta.dirname, '..', ask.program), [...(ask.args ?? [])], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    ...(ask.browser === undefined ? { env: cleanEnvironment() } : ask.browser.surroundings()),
  });
  let said = '';
  const hear = (piece: Buffer) => {
    said = (said + piece.toString('utf8')).slice(-2_000);
  };
  child.stdout!.on('data', hear);
  child.stderr!.on('data', hear);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(timer);
  };
  try {
    await answerOf(child, STARTING_MS);
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}: ${said.trim().split('\n').slice(-4).join(' | ')}`);
  }
  return {
    name: ask.name,
    pid: ask.pid ?? child.pid!,
    async take(turn) {
      child.send(turn);
      return (await answerOf(child, turn.seconds * 1000 + HANGING_MS)) as Turned;
    },
    stop,
  };
}

function answerOf(child: ChildProcess, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const finish = (give: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onError);
      give();
    };
    const onMessage = (message: unknown) => finish(() => resolve(message));
    const onExit = (code: number | null) =>
      finish(() => reject(new Error(`it ended with exit code ${code}`)));
    const onError = (error: Error) => finish(() => reject(error));
    const timer = setTimeout(
      () => finish(() => reject(new Error(`it did not answer within ${ms / 1000} s`))),
      ms,
    );
    child.once('message', onMessage);
    child.once('exit', onExit);
    child.once('error', onError);
  });
}
