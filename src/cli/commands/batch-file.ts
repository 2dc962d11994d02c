import { parseCsv } from 'hucre/csv';
import { CommandError, WRONG_USAGE } from '../core/command.ts';
import { readInput, textOf } from '../core/input.ts';

/** The requests of a file, each as a line of JSON. */
export interface BatchFile {
  readonly lines: readonly string[];
  /** For messages: the place of each request in the file, such as `line 3`. */
  readonly places: readonly string[];
}

/**
 * Reads requests: lines of JSON if the first line begins with `{`, CSV if its first line has a column `url`, else a URL a line.
 * Empty lines, and lines that begin with `#`, do not count except in CSV.
 * @param file a path, or `-` for standard input
 * @throws CommandError
 */
export async function readBatchFile(file: string): Promise<BatchFile> {
  const text = textOf(await readInput(file), file);
  const [header = ''] = text.split('\n', 1);
  const found = /(?:^|[,;\t|])\s*"?url"?\s*(?:$|[,;\t|])/i.test(header)
    ? csvRequests(text)
    : lineRequests(text);
  if (found.lines.length === 0) throw new CommandError(`${file} has no URLs`, WRONG_USAGE);
  return found;
}

function lineRequests(text: string): BatchFile {
  const lines: string[] = [];
  const places: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    lines.push(trimmed.startsWith('{') ? trimmed : JSON.stringify({ url: trimmed }));
    places.push(`line ${index + 1}`);
  }
  return { lines, places };
}

/** The columns `url` and, if there is one, `ref`. */
function csvRequests(text: string): BatchFile {
  const [header = [], ...rows] = parseCsv(text);
  const names = header.map((name) => String(name).trim().toLowerCase());
  const column = (row: readonly unknown[], name: string): string => {
    const value = row[names.indexOf(name)];
    return value === undefined || value === null ? '' : String(value).trim();
  };
  const lines: string[] = [];
  const places: string[] = [];
  for (const [index, row] of rows.entries()) {
    const [url, ref] = [column(row, 'url'), column(row, 'ref')];
    if (url === '') continue;
    lines.push(JSON.stringify(ref === '' ? { url } : { url, ref }));
    places.push(`row ${index + 2}`);
  }
  return { lines, places };
}
