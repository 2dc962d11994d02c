import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pagePath, type TakenPaths } from '../../wire/jobs/page-path.ts';
import type { ApiClient } from './api-client.ts';
import { type CommandCall, CommandError, WRONG_USAGE } from './command.ts';
import { withFormat } from './members.ts';
import { forTerminal, type Output, openOutput, orCommandError, styled } from './output.ts';
import type { StatusLine } from './progress.ts';

/** An item of a job, as far as the command line reads it. */
interface ItemView {
  readonly n: number;
  readonly url: string;
  readonly state: 'ok' | 'failed' | 'skipped';
  /** Of the scrape, such as `target_error`; null: there is none. */
  readonly outcome: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly scraper_data: Readonly<Record<string, unknown>> | null;
}

/** Where the results of a job go. Must be disposed. */
export interface ResultWriter extends AsyncDisposable {
  /** What is needed of each scrape: the parameter `include` of the API. */
  readonly include: 'none' | 'formats' | 'full';
  /** @param line the JSON of the item, which is written as it is */
  write(item: ItemView, line: string): Promise<void>;
  /** Writes what is made of all results of the job together. */
  finish(api: ApiClient, job: string): Promise<void>;
}

export interface ResultOptions {
  /** `-o`: a file or a folder; null: standard output. */
  readonly output: string | null;
  readonly isFolder: boolean;
  /** Lines of JSON also on a terminal. */
  readonly json: boolean;
  /** What is wanted of each scrape; null: the whole scrape. */
  readonly format: string | null;
  /** Nobody waits for results. */
  readonly detach: boolean;
}

export async function readResultOptions({ values, flags }: CommandCall): Promise<ResultOptions> {
  const output = values.get('output') ?? null;
  const toFolder = await isFolder(output);
  const format = values.get('format') ?? (toFolder ? 'markdown' : null);
  if (format !== null && tableFormat(output) !== null)
    throw new CommandError(
      '--format is not for tables, which have the fields of extract and json',
      WRONG_USAGE,
    );
  return { output, isFolder: toFolder, json: flags.has('json'), format, detach: flags.has('detach') };
}

/** The members of a scrape request, with the format that is wanted of its result. */
export const withWantedFormat = (
  members: Readonly<Record<string, unknown>>,
  { format }: ResultOptions,
): Readonly<Record<string, unknown>> =>
  format === null ? members : { ...members, scraper_options: withFormat(members.scraper_options, format) };

/** A format whose files do not have the extension `.json`. */
export const EXTENSIONS: Readonly<Record<string, string>> = {
  markdown: 'md',
  text: 'txt',
  html: 'html',
  main_html: 'html',
};

/**
 * Whether `-o` names a folder: one that exists, or anything that is neither a file nor has the name of one.
 * @param ifNew whether what does not exist may become a folder
 */
export async function isFolder(output: string | null, ifNew = true): Promise<boolean> {
  if (output === null || output === '-') return false;
  const found = await stat(output).catch(() => null);
  return found === null ? ifNew && !/\.(?:jsonl|ndjson|json|csv|xlsx)$/i.test(output) : found.isDirectory();
}

/** The format of a file for spreadsheets; null: `-o` is none. */
const tableFormat = (output: string | null): string | null =>
  /\.(csv|xlsx)$/i.exec(output ?? '')?.[1]?.toLowerCase() ?? null;

const NOTHING_MORE = async (): Promise<void> => {};

/** @throws CommandError if the file or the folder cannot be made */
export async function openResults(options: ResultOptions, progress: StatusLine): Promise<ResultWriter> {
  const { output, isFolder: toFolder, json, format } = options;
  if (toFolder) return openFolder(output!, format!);
  if (output === null && process.stdout.isTTY && !json) return terminalWriter(progress);
  const file = await openOutput(output);
  const table = tableFormat(output);
  if (table !== null) return tableWriter(file, table);
  return {
    finish: NOTHING_MORE,
    include: format === null ? 'full' : 'formats',
    write: (_item, line) => file.write(`${line}\n`),
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

/** A line for each page; URLs that were skipped are left out. The columns are known when the job has ended. */
const tableWriter = (file: Output, format: string): ResultWriter => ({
  include: 'none',
  write: async () => {},
  async finish(api, job) {
    const path = `/api/v1/jobs/${job}/export/?format=${format}&state=ok,failed`;
    for await (const piece of api.pieces(path)) await file.write(piece);
  },
  [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
});

const STATE_COLOURS = { ok: 'green', failed: 'red', skipped: 'yellow' } as const;

async function terminalWriter(progress: StatusLine): Promise<ResultWriter> {
  const stdout = await openOutput(null);
  return {
    include: 'none',
    finish: NOTHING_MORE,
    async write({ url, state, outcome, error }) {
      progress.hide();
      // The name of the state has a colour, unless NO_COLOR is set.
      const name = styled(STATE_COLOURS[state], state.padEnd(7), process.stdout);
      const why =
        error !== null ? `  ${error.code}: ${error.message}` : outcome === 'ok' ? '' : `  ${outcome}`;
      await stdout.write(`${name} ${forTerminal(url + why).replaceAll('\n', ' ')}\n`);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Files in the folders of their URLs, as in the zip archive of the API. */
async function openFolder(folder: string, format: string): Promise<ResultWriter> {
  await orCommandError(folder, mkdir(folder, { recursive: true }));
  const index: Output = await openOutput(join(folder, 'index.jsonl'));
  const taken: TakenPaths = new Map();
  const extension = EXTENSIONS[format] ?? 'json';
  return {
    include: 'formats',
    finish: NOTHING_MORE,
    async write(item) {
      const { scraper_data: data, ...rest } = item;
      const content = data?.[format];
      const file = content === undefined || content === null ? null : pagePath(item.url, taken, extension);
      if (file !== null) {
        const path = join(folder, file);
        await orCommandError(path, mkdir(dirname(path), { recursive: true }));
        const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
        await orCommandError(path, writeFile(path, `${text.replace(/\n$/, '')}\n`));
      }
      await index.write(`${JSON.stringify({ ...rest, file })}\n`);
    },
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  };
}
