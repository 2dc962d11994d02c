import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReplicaAnswer, ReplicaCommand } from './replica-script.ts';

const SCRIPT = fileURLToPath(new URL('./replica-script.ts', import.meta.url));

/** A replica in a process of its own. */
export class ReplicaProcess {
  readonly #child: ChildProcess;
  readonly #answers: ((answer: ReplicaAnswer) => void)[] = [];
  /** How often it has lost its lease. */
  losses = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: ReplicaAnswer | { readonly lost: true }) => {
      if ('lost' in message) this.losses++;
      else this.#answers.shift()!(message);
    });
  }

  static async start(url: string, redisUrl?: string): Promise<ReplicaProcess> {
    const child = fork(SCRIPT, redisUrl === undefined ? [url] : [url, redisUrl]);
    await once(child, 'message');
    return new ReplicaProcess(child);
  }

  do(command: ReplicaCommand): Promise<ReplicaAnswer> {
    return new Promise((resolve) => {
      this.#answers.push(resolve);
      this.#child.send(command);
    });
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
