import { type Core, screenshotLinkMs } from '../../app.ts';
import { CLIENT_DISCONNECTED } from '../../base/time.ts';
import type { Config } from '../../config/config.ts';
import { defaultBaseUrl } from '../../config/config.ts';
import { signingSecret } from '../../config/data-dir.ts';
import type { Principal } from '../../domain/account.ts';
import type { Failure } from '../../domain/failure.ts';
import { isObject } from '../../domain/json-schema.ts';
import { picturesOf } from '../../domain/record.ts';
import { replyPieces } from '../../wire/answer/reply.ts';
import { createLinkUrlOf, type LinkUrlOf, linkKeyOf, withLinks } from '../../wire/answer/signed-links.ts';
import { parseTask } from '../../wire/request/parse-task.ts';
import {
  type CommandContext,
  type CommandData,
  CommandError,
  nextSignal,
  WRONG_USAGE,
} from '../core/command.ts';
import { operatorUser } from '../core/own-accounts.ts';
import type { ScrapeResult } from '../core/scrape-answer.ts';

/**
 * Runs one scrape in this process, without the service. If there is a data folder, the record belongs to the administrator.
 * @param request the body of `POST /api/v1/scrape/`
 * @throws CommandError if the request is not valid
 */
export const scrapeHere = (io: CommandContext, request: RequestBody): Promise<ScrapeResult> =>
  io.withCore((core, data) => scrapeWith(core, data, request));

type RequestBody = Readonly<Record<string, unknown>>;

/** Like `scrapeHere`, with a core that is open. */
export async function scrapeWith(
  core: Core,
  { config, isTemporary }: CommandData,
  request: RequestBody,
): Promise<ScrapeResult> {
  // Without a data folder, links would not work. With `retain: metadata`, the response contains pictures and files.
  const body = isTemporary ? { ...request, router: withoutRetention(request.router ?? {}) } : request;
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
  try {
    const { scrape, answerJson } = await core.pipeline.run({
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
    let text = '';
    const answer = withLinks(answerJson, scrape.id, signedLinks(config));
    for (const piece of replyPieces(scrape, answer, baseUrlOf(config))) text += piece;
    const shown = scrape.delivered === null ? null : (picturesOf(scrape.delivered.page)[0] ?? null);
    // A copy, because the memory of the page is freed below.
    const picture = shown === null ? null : Uint8Array.from(shown.bytes);
    return { json: Buffer.from(text, 'latin1').toString(), picture: async () => picture };
  } finally {
    reservation.close();
  }
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
