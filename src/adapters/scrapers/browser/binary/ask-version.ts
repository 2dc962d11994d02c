import type { BrowserUser } from '../launch/browser-user.ts';
import { endGroup } from '../launch/process-group.ts';
import { startProcess } from '../launch/start-process.ts';

const LONGEST_MS = 10_000;
const MOST_CHARACTERS = 10_000;

export type VersionAnswer =
  | { readonly version: string; readonly trouble: null }
  | { readonly version: null; readonly trouble: string };

const trouble = (text: string): VersionAnswer => ({ version: null, trouble: text });

/**
 * Asks a program for its version, with `--version`, in a process group of its own and an empty environment; it has ten
 * seconds. Never rejects.
 */
export async function askVersion(
  path: string,
  env: Readonly<Record<string, string>>,
  user: BrowserUser | null,
): Promise<VersionAnswer> {
  const started = await startProcess({
    path,
    args: ['--version'],
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', ...env },
    user,
    pipes: 0,
  });
  if (started instanceof Error) return trouble(`it cannot be started: ${started.message}`);
  const { pid, stdout, stderr, ended, release } = started;
  let out = '';
  let err = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    out = (out + text).slice(0, MOST_CHARACTERS);
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    err = (err + text).slice(-MOST_CHARACTERS);
  });
  const late = AbortSignal.timeout(LONGEST_MS);
  const read = Promise.all(
    [stdout, stderr].map((stream) => new Promise((resolve) => stream.once('close', resolve))),
  );
  const how = await Promise.race([
    read.then(() => ended),
    new Promise<null>((resolve) => {
      late.onabort = () => resolve(null);
    }),
  ]);
  // With whatever it has started.
  await endGroup(pid);
  release();
  if (how === null) return trouble('it did not respond to --version within 10 s');
  const version = /\d+(?:\.\d+)+/.exec(out)?.[0];
  if (version !== undefined && how === 'it ended with exit code 0') return { version, trouble: null };
  return trouble(`it did not report its version: ${err.trim().split('\n').at(-1) || how}`);
}
