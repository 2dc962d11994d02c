/** Counts what a file of tests starts that is costly. */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';

export const START_KINDS = ['service', 'command line', 'browser', 'PostgreSQL', 'Redis'] as const;
export type StartKind = (typeof START_KINDS)[number];
/** How often each kind was started. A kind that is absent was not started. */
export type Starts = Partial<Record<StartKind, number>>;

/** What a command starts, by the name of its program. A prefix, such as `unshare -n`, does not matter. */
export function startKind(command: readonly string[]): StartKind | null {
  if (command.includes('--version')) return null;
  for (const [at, part] of command.entries()) {
    // Elsewhere the name is something else: a release of Helm, or the folder of its chart.
    if (/\/\.?bin\/sluice$/.test(part)) return command[at + 1] === 'serve' ? 'service' : 'command line';
    const name = basename(part);
    if (name === 'postgres') return 'PostgreSQL';
    if (name === 'redis-server') return 'Redis';
    // Without a folder it may be a word, as in `secret-tool lookup application chrome`.
    const isWord = at > 0 && name === part;
    if (!isWord && /^(chromium|chrome|headless_shell|chromium-headless-shell|firefox-esr)$/.test(name))
      return 'browser';
  }
  return null;
}

/** A service logs this when it has started a browser. */
const BROWSER_LINE = /"msg":"a browser is running"/g;

/** Counts from now on what this process and its services start. @returns gives the starts since the last call */
export function countStarts(): () => Starts {
  let starts: Starts = {};
  const count = (kind: StartKind): void => {
    starts[kind] = (starts[kind] ?? 0) + 1;
  };
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    // Published before it starts, so its arguments are not there yet.
    setImmediate(() => {
      const kind = startKind(child.spawnargs ?? []);
      if (kind === null) return;
      count(kind);
      if (kind === 'service')
        child.stdout?.on('data', (text: Buffer | string) => {
          for (const _ of String(text).matchAll(BROWSER_LINE)) count('browser');
        });
    });
  });
  return () => {
    const since = starts;
    starts = {};
    return since;
  };
}
