import { writeFile } from 'node:fs/promises';
import { isObject } from '../../domain/json-schema.ts';
import { parseExactly } from '../../wire/request/exact-numbers.ts';
import { readJson } from '../../wire/schema/read-json.ts';
import type { ApiClient } from '../core/api-client.ts';
import {
  type CommandCall,
  type CommandContext,
  CommandError,
  type RunCommand,
  WRONG_USAGE,
} from '../core/command.ts';
import { remoteOf, withApi } from '../core/connect.ts';
import { readInput, textOf } from '../core/input.ts';
import { withFormat } from '../core/members.ts';
import { orCommandError } from '../core/output.ts';
import { type AnswerView, printAnswer, type ScrapeResult } from '../core/scrape-answer.ts';

/** Scrapes a page: by a service elsewhere, or in this process, which needs no service. */
export const scrape: RunCommand = async (call, io) => {
  const picture = call.values.get('screenshot') ?? null;
  const isMember = picture === 'true' || picture === 'false';
  const format = call.values.get('format') ?? null;
  const { url, ...request } = await scrapeRequest(call);
  const body = {
    url,
    ...request,
    ...(picture === null ? {} : { screenshot: picture !== 'false' }),
    ...(format === null ? {} : { scraper_options: optionsWith(format, request.scraper_options, call) }),
  };
  const finish = async (result: ScrapeResult): Promise<number> => {
    const problem = picture === null || isMember ? null : await savePicture(picture, result);
    const options = {
      url: String(url),
      // With --json the whole answer, which has the format.
      format: call.flags.has('json') ? null : format,
      output: call.values.get('output') ?? null,
      json: call.flags.has('json'),
    };
    const code = await printAnswer(io, result.json, options);
    if (problem !== null) io.err(`sluice: ${problem}`);
    return problem === null ? code : 1;
  };
  return scrapeThen(call, io, body, finish);
};

/** `scraper_options` with a format. If it alone is printed, the content need not be sent. */
function optionsWith(format: string, options: unknown, { flags }: CommandCall): unknown {
  const read = withFormat(options, format);
  return isObject(read) && !flags.has('json') ? { return_content: false, ...read } : read;
}

/**
 * Scrapes by the service that commands use, or else in this process.
 * @param body of `POST /api/v1/scrape/`
 * @param finish returns the exit code
 */
export async function scrapeThen(
  call: CommandCall,
  io: CommandContext,
  body: Readonly<Record<string, unknown>>,
  finish: (result: ScrapeResult) => Promise<number>,
): Promise<number> {
  if (remoteOf(io, call) !== null)
    return withApi(io, call, async (api, signal) => finish(await scrapeThere(api, body, signal)));
  const { scrapeHere } = await import('./scrape-here.ts');
  return finish(await scrapeHere(io, body));
}

/** The scrape request of a command: its argument is a URL, `@FILE` or `-`; its options are members. */
export async function scrapeRequest({ words, members }: CommandCall): Promise<Record<string, unknown>> {
  const target = words[0]!;
  if (target !== '-' && !target.startsWith('@')) {
    if (Object.hasOwn(members, 'url'))
      throw new CommandError('--url contradicts URL, which is the first argument', WRONG_USAGE);
    return { url: target, ...members };
  }
  const file = target === '-' ? '-' : target.slice(1);
  const text = textOf(await readInput(file), file);
  const read = readJson(text, `${file} is not JSON`);
  if (read.problems !== null) throw new CommandError(read.problems[0]!.message, WRONG_USAGE);
  const request = parseExactly(text);
  if (!isObject(request)) throw new CommandError(`${file} is not a scrape request`, WRONG_USAGE);
  return { ...request, ...members };
}

async function scrapeThere(api: ApiClient, body: object, signal: AbortSignal): Promise<ScrapeResult> {
  const json = await api.text('POST', '/api/v1/scrape/', {
    body,
    signal,
    // A scrape that has failed is a problem with the members of an answer.
    accepts: (text) => text.includes('"router":'),
  });
  return {
    json,
    async picture() {
      const { screenshot_url: link } = JSON.parse(json) as AnswerView;
      if (link === null) return null;
      if (link.startsWith('data:')) return Buffer.from(link.slice(link.indexOf(',') + 1), 'base64');
      return await api.bytes(link, signal);
    },
  };
}

/** @returns why there is no file; null: it was written */
async function savePicture(path: string, result: ScrapeResult): Promise<string | null> {
  const bytes = await result.picture();
  if (bytes === null) return `there is no screenshot, so ${path} was not written`;
  await orCommandError(path, writeFile(path, bytes));
  return null;
}
