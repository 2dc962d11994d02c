import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pagePath } from '../../wire/jobs/page-path.ts';
import type { CommandContext } from './command.ts';
import { factsText, forTerminal, openOutput, orCommandError, styled } from './output.ts';
import { rawMember } from './raw-member.ts';
import { EXTENSIONS, isFolder } from './results.ts';

/** What a scrape has come to. */
export interface ScrapeResult {
  /** The answer of the API. */
  readonly json: string;
  /** The bytes of the screenshot; null: there is none. */
  picture(): Promise<Uint8Array | null>;
}

interface Note {
  readonly code: string;
  readonly message: string;
}

/** The answer of the API, as far as the command line reads it. */
export interface AnswerView {
  readonly id: string | null;
  readonly status_code: number | null;
  readonly final_url: string | null;
  readonly content: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly screenshot_url: string | null;
  readonly errors: readonly Note[];
  readonly router: {
    readonly outcome: string;
    readonly scraper: string | null;
    readonly proxy_type: string | null;
    readonly direct?: boolean | null;
    readonly request_cost: number | null;
    readonly cost_unit: string | null;
    readonly warnings: readonly Note[];
    readonly attempts?: readonly unknown[];
    readonly timing: { readonly total: number | null };
  };
}

interface PrintOptions {
  readonly url: string;
  /** The only format that is wanted; null: the whole answer. */
  readonly format: string | null;
  /** `-o`: a file or a folder; null: standard output. */
  readonly output: string | null;
  /** JSON also on a terminal. */
  readonly json: boolean;
}

/** Prints the answer, or the format that is wanted of it. @returns the exit code */
export async function printAnswer(io: CommandContext, json: string, options: PrintOptions): Promise<number> {
  const answer = JSON.parse(json) as AnswerView;
  const { format, output, url } = options;
  const text = format === null ? wholeText(json, answer, options) : formatText(json, answer, format, url, io);
  if (text !== null) {
    const path = output === null ? null : await outputPath(output, url, format);
    await using file = await openOutput(path);
    await file.write(`${text}\n`);
  }
  return text !== null && answer.router.outcome === 'ok' ? 0 : 1;
}

/** The file in a folder has the name of the page. */
async function outputPath(output: string, url: string, format: string | null): Promise<string> {
  if (!output.endsWith('/') && !(await isFolder(output, false))) return output;
  const extension = format === null ? 'json' : (EXTENSIONS[format] ?? 'json');
  const path = join(output, pagePath(url, new Map(), extension));
  await orCommandError(path, mkdir(dirname(path), { recursive: true }));
  return path;
}

function wholeText(json: string, answer: AnswerView, { output, json: asJson, url }: PrintOptions): string {
  const forPeople = output === null && process.stdout.isTTY;
  if (!forPeople || asJson) return json.trimEnd();
  const {
    outcome,
    scraper,
    proxy_type: proxy,
    direct,
    request_cost: cost,
    warnings,
    timing,
    attempts,
  } = answer.router;
  const stdout = process.stdout;
  const colour = outcome === 'ok' ? 'green' : outcome === 'partial' ? 'yellow' : 'red';
  const count = attempts?.length ?? 0;
  const lines = [
    `${styled(colour, outcome, stdout)}  ${answer.status_code ?? 'no status'}  ${answer.final_url ?? url}`,
    ...factsText([
      [
        'scraper',
        scraper === null
          ? null
          : `${scraper}, ${direct === true ? 'no' : proxy} proxy${count > 1 ? `, ${count} attempts` : ''}`,
      ],
      ['time', timing.total === null ? null : `${timing.total} ms`],
      ['cost', cost === null ? null : `${cost} ${answer.router.cost_unit ?? ''}`],
      ['type', answer.headers['content-type'] ?? null],
      ['content', answer.content === null ? null : `${answer.content.length} characters`],
      ['screenshot', answer.screenshot_url?.startsWith('data:') === true ? null : answer.screenshot_url],
      ['scrape', answer.id],
    ]),
    ...answer.errors.map(({ code, message }) => `${styled('red', 'error', stdout)}    ${code}: ${message}`),
    ...warnings.map(({ code, message }) => `${styled('yellow', 'warning', stdout)}  ${code}: ${message}`),
    styled('dim', '--format markdown prints the text of the page, --json the whole answer.', stdout),
  ];
  return lines.map((line) => line.replaceAll('\n', ' ')).join('\n');
}

/** Warnings that say why a format has less than expected. */
const OF_READING = /^(?:document|content|frames|page)\./;

/**
 * The value of a format: text as it is, data as JSON; null: there is none. What is wrong with it goes to the error output.
 */
function formatText(
  json: string,
  { errors, router, status_code: status }: AnswerView,
  format: string,
  url: string,
  { err }: CommandContext,
): string | null {
  for (const { code, message } of [...errors, ...router.warnings.filter(({ code }) => OF_READING.test(code))])
    err(`sluice: ${code}: ${message}`);
  if (router.outcome !== 'ok' && errors.length === 0)
    err(`sluice: ${url}: the outcome is ${router.outcome}, with status ${status ?? 'none'}`);
  const text = valueText(json, format);
  if (text === null && errors.length === 0) err(`sluice: ${url} has no ${format}`);
  return text;
}

/**
 * A member of `scraper_data`: text as it is, data as JSON; null: there is none.
 * @param json an answer with `scraper_data`
 */
export function valueText(json: string, format: string): string | null {
  const raw = rawMember(rawMember(json, 'scraper_data') ?? '{}', format);
  const value: unknown = JSON.parse(raw ?? 'null');
  if (value === null) return null;
  if (typeof value !== 'string') return raw;
  const text = value.replace(/\n$/, '');
  return process.stdout.isTTY ? forTerminal(text) : text;
}
