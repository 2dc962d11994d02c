import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Pools, PoolsFileState } from '../../domain/pools.ts';
import { SettingsError } from '../../ports/proxies.ts';

export interface PoolsFileOptions {
  /** Absolute. */
  readonly path: string;
  readonly read: (
    text: string,
  ) =>
    | { readonly pools: Pools; readonly problems: null }
    | { readonly pools: null; readonly problems: readonly string[] };
  /** A new file that is in order. */
  readonly onPools: (pools: Pools) => void;
  /** It was read again: null, with success. */
  readonly onRead: (problems: readonly string[] | null) => void;
  /** ms since the epoch. */
  readonly now: () => number;
}

export interface PoolsFile extends Disposable {
  readonly initialPools: Pools;
  /** Reads it now; a file that is not in order changes nothing. */
  reload(): void;
  state(): PoolsFileState;
}

/** Looked at by its times: events of the system are lost on mounted and replaced files. */
const POLL_MS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads the file and looks after it. Throws SettingsError, with all that is wrong, when it cannot be used. */
export function openPoolsFile({ path, read, onPools, onRead, now }: PoolsFileOptions): PoolsFile {
  let text = '';
  let loadedAt = now();
  let problems: readonly string[] | null = null;

  const load = () => {
    const found = readText(path);
    if (found.problems !== null) return found;
    return { ...read(found.text), text: found.text };
  };
  const start = load();
  if (start.problems !== null)
    throw new SettingsError(
      `The file of SLUICE_PROXIES (${path}) is refused:\n${start.problems.map((one) => `  ${one}`).join('\n')}`,
    );
  text = start.text;

  const reload = () => {
    const next = load();
    if (next.problems === null && next.text === text && problems === null) return;
    problems = next.problems;
    if (next.problems === null) {
      text = next.text;
      loadedAt = now();
      onPools(next.pools);
    }
    onRead(problems);
  };
  watchFile(path, { persistent: false, interval: POLL_MS }, reload);
  return {
    initialPools: start.pools,
    reload,
    state: () => ({ path, loadedAt, problems }),
    [Symbol.dispose]: () => unwatchFile(path, reload),
  };
}

type FileText =
  | { readonly text: string; readonly problems: null }
  | { readonly text: null; readonly problems: readonly string[] };

function readText(path: string): FileText {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length > MAX_BYTES
      ? { text: null, problems: ['is larger than 16 MiB'] }
      : { text, problems: null };
  } catch (error) {
    return {
      text: null,
      problems: [`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`],
    };
  }
}
