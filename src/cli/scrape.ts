import { type Core, screenshotLinkMs } from '../app.ts';
import { CLIENT_DISCONNECTED } from '../base/time.ts';
import type { Config } from '../config/config.ts';
import { defaultBaseUrl } from '../config/config.ts';
import { signingSecret } from '../config/data-dir.ts';
import type { Principal } from '../domain/account.ts';
import type { Failure } from '../domain/failure.ts';
import { isObject } from '../domain/json-schema.ts';
import type { Scrape } from '../domain/scrape.ts';
import { replyPieces } from '../wire/answer/reply.ts';
import { createLinkUrlOf, type LinkUrlOf, linkKeyOf, withLinks } from '../wire/answer/signed-links.ts';
import { parseTask } from '../wire/request/parse-task.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  nextSignal,
  requireArgument,
  WRONG_USAGE,
} from './command.ts';
import { parseMembers, withFormat } from './members.ts';
import { operatorUser } from './users.ts';

/** Runs one scrape in this process, without the service. If there is a data folder, the record belongs to the administrator. */
export const scrape: Command = {
  usage: `sluice scrape URL [--option value …]   prints the response as JSON; exit code 0 if the outcome is ok

  Options are the fields of a scrape request: --scraper http --timeout_ms 5000
  Nested fields have a dot:                   --headers.Accept text/html --router.max_attempts 2
  Only one format, such as Markdown:          --format markdown
  Values are parsed as JSON if possible, otherwise they are text.
  The record is stored in the data folder, if there is one.`,
  async run(args, io) {
    const url = requireArgument(args[0], 'URL');
    if (url.startsWith('--')) throw new CommandError(`URL is missing\n${scrape.usage}`, WRONG_USAGE);
    const { format, ...members } = parseMembers(args.slice(1));
    if (Object.hasOwn(members, 'url'))
      throw new CommandError('--url contradicts URL, which is the first argument', WRONG_USAGE);
    return io.withCore(async (core, { config, isTemporary }) => {
      // Without a data folder, links would not work. With `retain: metadata`, the response contains pictures and files.
      const router = isTemporary ? withoutRetention(members.router ?? {}) : members.router;
      const body = {
        url,
        ...members,
        ...(router === undefined ? {} : { router }),
        ...(format === undefined ? {} : { scraper_options: withFormat(members.scraper_options, format) }),
      };
      const { task, problems } = parseTask(body);
      if (task === null) throw invalidRequest(problems);
      const selectorProblems = core.pipeline.problems(task);
      if (selectorProblems.length > 0) throw invalidRequest(selectorProblems);
      await core.pipeline.discover(task);
      const { plan, failure } = core.pipeline.plan(task);
      if (plan === null) throw invalidRequest([failure]);
      const stop = new AbortController();
      void nextSignal().then(() => stop.abort(CLIENT_DISCONNECTED));
      const reservation = core.memory.open();
      const result = await core.pipeline.run({
        task,
        plan,
        principal: operatorPrincipal(core),
        requestId: 'command-line',
        cancel: stop,
        startedAt: performance.now(),
        // The operator may scrape every domain.
        allowUrl: null,
        reservation,
      });
      const { scrape, answerJson } = result;
      if (format !== undefined) {
        reservation.close();
        return printFormat(scrape, String(format), io);
      }
      let text = '';
      const answer = withLinks(answerJson, scrape.id, signedLinks(config));
      for (const piece of replyPieces(scrape, answer, baseUrlOf(config))) text += piece;
      reservation.close();
      io.out(Buffer.from(text, 'latin1').toString());
      return scrape.outcome === 'ok' ? 0 : 1;
    });
  },
};

/** Warnings that say why a format has less than expected. */
const OF_READING = /^(?:document|content|frames|page)\./;

/**
 * Prints the value of a format alone: text as it is, data as JSON. What is wrong with it goes to the error output.
 * @returns the exit code
 */
function printFormat(
  { delivered, errors, warnings, outcome, task }: Scrape,
  format: string,
  { out, err }: CommandContext,
): number {
  const json = delivered?.data.find(([name]) => name === format)?.[1] ?? 'null';
  const value: unknown = JSON.parse(json);
  for (const { code, message } of [...errors, ...warnings.filter(({ code }) => OF_READING.test(code))])
    err(`sluice: ${code}: ${message}`);
  if (outcome !== 'ok' && errors.length === 0)
    err(
      `sluice: ${task.url}: the outcome is ${outcome}, with status ${delivered?.page.statusCode ?? 'none'}`,
    );
  if (value !== null) out(typeof value === 'string' ? value.replace(/\n$/, '') : json);
  else if (errors.length === 0) err(`sluice: ${task.url} has no ${format}`);
  return value !== null && outcome === 'ok' ? 0 : 1;
}

/**
 * Adds `retain: metadata` to the `router` of the request. Its short form, a text, means `sort`. An invalid value is returned
 * as it is: `parseTask` refuses it.
 */
function withoutRetention(router: unknown): unknown {
  if (typeof router === 'string') return { retain: 'metadata', sort: router };
  return isObject(router) ? { retain: 'metadata', ...router } : router;
}

/** Links to pictures and files. They work while a service runs with the same data folder. */
function signedLinks(config: Config): LinkUrlOf {
  return createLinkUrlOf({
    key: linkKeyOf(signingSecret(config)),
    baseUrl: () => baseUrlOf(config),
    ttlMs: screenshotLinkMs(config),
    now: Date.now,
  });
}

const baseUrlOf = ({ baseUrl, host, port }: Config): string => baseUrl ?? defaultBaseUrl(host, port);

const invalidRequest = (failures: readonly Failure[]): CommandError =>
  new CommandError(failures.map((f) => `${f.code}: ${f.message}`).join('\n'), WRONG_USAGE);

/** The oldest administrator, without limits of a key. */
const operatorPrincipal = ({ accounts }: Core): Principal => ({
  userId: operatorUser(accounts).id,
  role: 'admin',
  concurrency: 1,
  keyId: null,
  keyConcurrency: null,
  scopes: ['scrape'],
  domains: [],
  dailyBudget: null,
});
