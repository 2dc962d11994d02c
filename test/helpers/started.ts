import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from './child.ts';

/** Long, because a busy machine takes many seconds to start a program. */
const START_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Waits until a program that was just started is ready. If it ends before, or 60 s pass, it is killed, and the error says its exit
 * code and what it has printed.
 * @param said what it has printed, if that went to a file
 */
export async function started(
  name: string,
  child: Child,
  isReady: () => Promise<boolean>,
  said = () => child.stdout() + child.stderr(),
): Promise<void> {
  const end = performance.now() + START_MS;
  while (!(await isReady())) {
    if (child.running() && performance.now() < end) {
      await pause(PAUSE_MS);
      continue;
    }
    const why = child.running() ? `was not ready within ${START_MS / 1000} s` : 'ended';
    child.kill('SIGKILL');
    const { code, signal } = await child.exited;
    throw new Error(`${name} ${why} (exit code ${code}, signal ${signal}): ${said().slice(-3_000)}`);
  }
}

/** Whether a port of loopback accepts connections. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
