import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SettingsFileState } from '../../domain/pools.ts';
import { SettingsError } from '../../ports/proxies.ts';

export interface SettingsFileOptions<T> {
  /** The variable that names the file, for messages. */
  readonly variable: string;
  /** Absolute. */
  readonly path: string;
  readonly parse: (
    text: string,
  ) =>
    | { readonly settings: T; readonly problems: null }
    | { readonly settings: null; readonly problems: readonly string[] };
  /** Called with the settings of a changed, valid file. */
  readonly onSettings: (settings: T) => void;
  /** Called after the file was read again. null: it is valid. */
  readonly onRead: (problems: readonly string[] | null) => void;
  /** ms since the epoch. */
  readonly now: () => number;
}

export interface SettingsFile<T> extends Disposable {
  readonly initial: T;
  /** Reads the file now. An invalid file changes nothing. */
  reload(): void;
  state(): SettingsFileState;
}

/** The file is polled, because events of the file system are not reliable for mounted or replaced files. */
const POLL_MS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads the file and watches it for changes. Throws SettingsError with all problems if it is invalid. */
export function openSettingsFile<T>({
  variable,
  path,
  parse,
  onSettings,
  onRead,
  now,
}: SettingsFileOptions<T>): SettingsFile<T> {
  let text = '';
  let loadedAt = now();
  let problems: readonly string[] | null = null;

  const load = () => {
    const file = readText(path);
    if (file.problems !== null) return file;
    return { ...parse(file.text), text: file.text };
  };
  const first = load();
  if (first.problems !== null)
    throw new SettingsError(
      `The file of ${variable} (${path}) is invalid:\n${first.problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  text = first.text;

  const reload = () => {
    const next = load();
    if (next.problems === null && next.text === text && problems === null) return;
    problems = next.problems;
    if (next.problems === null) {
      text = next.text;
      loadedAt = now();
      onSettings(next.settings);
    }
    onRead(problems);
  };
  watchFile(path, { persistent: false, interval: POLL_MS }, reload);
  return {
    initial: first.settings,
    reload,
    state: () => ({ path, loadedAt, problems }),
    [Symbol.dispose]: () => unwatchFile(path, reload),
  };
}

/** The text of a file that a file of settings names, relative to it; null: it cannot be read. */
export function readNamedFile(settingsPath: string, name: string): string | null {
  return readText(resolve(dirname(settingsPath), name)).text;
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
