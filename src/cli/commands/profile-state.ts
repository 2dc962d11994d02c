import { isObject } from '../../domain/json-schema.ts';
import { CommandError, WRONG_USAGE } from '../core/command.ts';

/** The state of a profile, as a member of its request. */
export type UploadedState =
  | { readonly storage_state: object }
  /** A Netscape cookies file. */
  | { readonly cookies_txt: string };

/** Whether a host belongs to the domains that are wanted. */
type HostFilter = (host: string) => boolean;

/**
 * The state in a file: a storage state (Playwright), a list of cookies as extensions of browsers export it, or a Netscape cookies file.
 * What is in it is for the service to check.
 * @param filter null: all
 * @throws CommandError
 */
export function profileStateOf(text: string, file: string, filter: HostFilter | null): UploadedState {
  if (!/^\s*[[{]/.test(text))
    return { cookies_txt: filter === null ? text : filteredLines(text, filter, file) };
  const value = jsonOf(text, file);
  const state = Array.isArray(value) ? { cookies: value } : value;
  if (!isObject(state)) throw new CommandError(`${file} has no storage state`, WRONG_USAGE);
  return { storage_state: filter === null ? state : filteredState(state, filter, file) };
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`, WRONG_USAGE);
  }
}

const HTTP_ONLY = '#HttpOnly_';

function filteredLines(text: string, filter: HostFilter, file: string): string {
  const lines = text.split(/\r?\n/).filter((line) => {
    const cells = (line.startsWith(HTTP_ONLY) ? line.slice(HTTP_ONLY.length) : line).split('\t');
    return cells.length > 1 && filter(cells[0]!);
  });
  return `${orNothing(lines, file).join('\n')}\n`;
}

function filteredState(state: object, filter: HostFilter, file: string): object {
  const { cookies, origins, ...others } = state as Record<string, unknown>;
  const wanted = listOf(cookies).filter(({ domain }) => filter(String(domain)));
  const wantedOrigins = listOf(origins).filter(({ origin }) =>
    filter(URL.parse(String(origin))?.hostname ?? ''),
  );
  orNothing([...wanted, ...wantedOrigins], file);
  return { ...others, cookies: wanted, ...(origins === undefined ? {} : { origins: wantedOrigins }) };
}

const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

function orNothing<T>(found: readonly T[], file: string): readonly T[] {
  if (found.length > 0) return found;
  throw new CommandError(`${file} has nothing of these domains`);
}
