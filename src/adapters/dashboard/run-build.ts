import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface Build {
  /** null when it succeeded, else the last words of what failed. Never rejects. */
  readonly done: Promise<string | null>;
  /** Ends it, and settles when it has ended. */
  stop(): Promise<void>;
}

const LAST_CHARACTERS = 4_000;

/**
 * Builds in a process of its own, which makes itself the least important of the machine. It gets an empty
 * environment: what configures the service, secrets included, is none of its business.
 */
export function runBuild(script: string, root: string): Build {
  const child = spawn(process.execPath, [script], {
    cwd: root,
    env: { NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (chunk: Buffer) => {
      output = (output + decoder.write(chunk)).slice(-LAST_CHARACTERS);
    });
  }
  const { promise: done, resolve } = Promise.withResolvers<string | null>();
  child.once('error', (error) => resolve(`The build could not be started: ${error.message}`));
  child.once('close', (code, signal) => {
    if (code === 0) resolve(null);
    else resolve(`The build ended with ${signal ?? `exit code ${code}`}:\n${output.trim()}`);
  });
  return {
    done,
    async stop() {
      child.kill('SIGKILL');
      await done;
    },
  };
}
