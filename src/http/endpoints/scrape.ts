import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Principal, payerOf } from '../../domain/account.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import { isRepeatable, type Task } from '../../domain/task.ts';
import { type ExtractTemplate, requestedTemplate } from '../../domain/template.ts';
import { domainRefusal } from '../../domain/url-check.ts';
import { VIA_NAME } from '../../domain/vendors.ts';
import { loadTemplate } from '../../pipeline/extract-template.ts';
import type { AnsweredScrape } from '../../pipeline/pipeline.ts';
import { AsyncState, Problem, ScrapeProblem, ScrapeResponse } from '../../wire/answer/answer-schema.ts';
import { ScrapeProgress } from '../../wire/answer/progress-json.ts';
import { parseTask } from '../../wire/request/parse-task.ts';
import { ScrapeRequest } from '../../wire/request/scrape-request-schema.ts';
import { admit } from '../core/access.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { handMadeEndpoint } from '../core/endpoint.ts';
import { beginIdempotent, hasIdempotencyKey } from '../core/idempotency.ts';
import { BODY_LIMIT, readJsonBody } from '../core/json-body.ts';
import { Refusal, refuseIf } from '../core/refusal.ts';
import { cancelOf, memoryOf } from '../core/request-resources.ts';
import { json, problem } from '../core/responses.ts';
import { acceptAsync, prefersAsync } from '../operations/async-scrape.ts';
import { prepareComparison } from '../operations/compare-scrape.ts';
import { EVENTS_TYPE, ProgressStream, streamsProgress } from '../operations/progress-stream.ts';
import { reserveBudgetAndPlan, runPlanned } from '../operations/run-planned.ts';
import { REQUEST_EXAMPLES, SCRAPE_EXAMPLE } from '../operations/scrape-examples.ts';
import { keepScrape, type PreparedScrape, prepareScrape, sendScrape } from '../operations/send-scrape.ts';

const SCRAPE_PATH = '/api/v1/scrape/';

const asyncOnly = (member: 'webhook' | 'channels' | 'notify_on') =>
  failure(
    'request.validation',
    `\`/router/${member}\` needs the header \`Prefer: respond-async\`: without it, the response is the result.`,
    { pointer: `/router/${member}` },
  );

/** Rejects with a Refusal if the request is refused before the scrape begins. */
async function scrape(
  deps: EndpointDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<void> {
  const startedAt = deps.clock.monotonic();
  const principal = request.principal!;
  const reading = readTask(deps, principal, body);
  const { task: read, template } = reading instanceof Promise ? await reading : reading;
  const isStream = streamsProgress(request);
  const task = isRelayed(request.headers) ? { ...read, isRelayed: true } : read;
  if (hasIdempotencyKey(request) && !(await beginWithKey(deps, request, reply, task, body))) return;
  const run = request.idempotentRun;
  const browserCheck = deps.pipeline.discover(task);
  if (browserCheck !== null) await browserCheck;
  const isAsync = request.headers.prefer !== undefined && prefersAsync(request);
  if (task.router.webhook !== null && !isAsync) throw new Refusal([asyncOnly('webhook')]);
  if (task.router.notify !== null && !isAsync)
    throw new Refusal([asyncOnly(task.router.notify.channels.length > 0 ? 'channels' : 'notify_on')]);
  const { compareTo } = task.router;
  const complete =
    compareTo === null || isAsync ? null : await prepareComparison(deps, principal, task, compareTo);
  const plan = await reserveBudgetAndPlan(deps, principal, task);
  if (isAsync) {
    deps.accounts.releaseBudget(payerOf(principal, task.host));
    const members = body as Readonly<Record<string, unknown>>;
    return await acceptAsync(deps, principal, { id: run?.id, task: task, members, template }, reply);
  }
  const reservation = memoryOf(request, deps.memory);
  const stream = isStream ? new ProgressStream(reply, deps.clock, startedAt) : null;
  /** The response, prepared while the record is stored. */
  let prepared: PreparedScrape | null = null;
  const answered = await runPlanned(deps, {
    task,
    plan,
    principal,
    ...(run === null ? {} : { id: run.id }),
    requestId: request.id,
    cancel: cancelOf(request, reply),
    startedAt,
    reservation,
    ...(complete === null ? {} : { complete }),
    ...(stream === null ? {} : { onProgress: stream.report }),
    whileStoring: (answeredScrape) => {
      prepared = prepareScrape(answeredScrape, deps);
    },
  });
  const ready = ifStillValid(prepared, answered) ?? prepareScrape(answered, deps);
  if (run !== null) await keepScrape(deps, request, reply, ready);
  if (stream === null) sendScrape(reply, ready);
  else stream.end(ready);
  // After the response was sent, but in the same tick, so that the next request of the client already sees the event's effects.
  deps.events.scrapeEnded(answered.scrape, principal, {
    storing: answered.storing,
    headers: request.headers,
  });
}

/** Whether another Sluice sent the request (`Via`, RFC 9110 §7.6.3). */
const isRelayed = ({ via }: FastifyRequest['headers']): boolean =>
  via?.split(',').some((entry) => entry.trim().split(/[ \t]+/)[1] === VIA_NAME) ?? false;

/** @returns false: the response to the first request with this key was sent */
async function beginWithKey(
  deps: EndpointDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  task: Task,
  body: unknown,
): Promise<boolean> {
  const principal = request.principal!;
  // The first request may have used another key of the user, which may scrape other sites.
  if (principal.domains.length > 0) refuseIf(domainRefusal(principal, new URL(task.url)));
  const options = { path: SCRAPE_PATH, body, isRepeatable: isRepeatable(task.method) };
  return await beginIdempotent(deps, request, reply, options);
}

/** The prepared response; null if storing the record failed, because then another response must be sent. */
function ifStillValid(prepared: PreparedScrape | null, answered: AnsweredScrape): PreparedScrape | null {
  return prepared?.answered === answered ? prepared : null;
}

const NO_TEMPLATE: ExtractTemplate = { name: '', version: 0, rules: {} };
/** Pointer of the rules for extraction. */
const EXTRACT = '/scraper_options/extract';

interface ReadTask {
  readonly task: Task;
  /** The template that the body names; null: none. */
  readonly template: ExtractTemplate | null;
}

/** Parses and checks the body (contract §8, the steps before routing). A request refused here leaves no record. */
function readTask(deps: EndpointDeps, principal: Principal, body: unknown): ReadTask | Promise<ReadTask> {
  const name = requestedTemplate(body);
  // A request without a template takes no further turn of the event loop.
  return name === null
    ? checkTask(deps, body, null)
    : loadTemplate(deps.store.templates, principal.userId, name, EXTRACT).then((template) =>
        checkTask(deps, body, template),
      );
}

/** @param template that the body names, or why there is none; null: it names none */
function checkTask(deps: EndpointDeps, body: unknown, template: ExtractTemplate | Failure | null): ReadTask {
  // What is wrong with the body itself is reported first.
  const isUnknown = template !== null && isFailure(template);
  const { task, problems } = parseTask(body, isUnknown ? NO_TEMPLATE : template);
  if (task === null) throw new Refusal(problems);
  if (isUnknown) throw new Refusal([template]);
  const selectorProblems = deps.pipeline.problems(task);
  if (selectorProblems.length > 0) throw new Refusal(selectorProblems);
  return { task, template };
}

const ProblemOrScrapeProblem = Type.Union([Problem, ScrapeProblem]);

export const SCRAPE = [
  handMadeEndpoint({
    method: 'post',
    path: SCRAPE_PATH,
    operationId: 'createScrape',
    summary: 'Scrape a page',
    description:
      'Fetches the URL and returns the result. The status is 200 whenever the target returned a page; the status of that page is `status_code`. Problems are listed in `errors`. With the header `Prefer: respond-async` the response is 202 at once, and the result is at `Location`. With `Accept: text/event-stream` the response to a scrape that begins is a stream of Server-Sent Events: `progress` whenever it does something else, with a `ScrapeProgress` that says everything, and at last `result` or `problem`, with what would otherwise be the body of a 200 or of another status. If the connection is closed, the scrape is cancelled.',
    access: 'scope:scrape',
    idempotent: true,
    body: { schema: ScrapeRequest, required: true, examples: REQUEST_EXAMPLES },
    responses: {
      200: {
        description: 'The page; or, with `Accept: text/event-stream`, what the scrape does and its result.',
        content: {
          'application/json': ScrapeResponse,
          [EVENTS_TYPE]: Type.String({ contentSchema: ScrapeProgress, description: 'Events.' }),
        },
        example: SCRAPE_EXAMPLE,
      },
      202: json('With `Prefer: respond-async`: the scrape is stored and will run.', AsyncState),
      402: problem('The daily budget of the key is used up: `budget.exhausted`.'),
      403: problem('Not allowed: `auth.*` or `policy.*`.', ProblemOrScrapeProblem),
      404: problem('The record of `router.compare_to` is not there: `request.not_found`.'),
      410: problem('The record of `router.compare_to` has expired: `record.expired`.'),
      422: problem(
        'No scraper and proxy can do this request; `candidates` says why. Or there is no such template: `template.unknown`. Or a browser did not take a cookie or the storage state. Or the record of `router.compare_to` cannot be compared: `record.no_content`.',
        ProblemOrScrapeProblem,
      ),
      429: problem(
        'Too many concurrent requests: `limit.concurrency`. Or the limits of the site allow no more now: `limit.site`. See `Retry-After`.',
        ProblemOrScrapeProblem,
      ),
      500: problem('A bug in the service: `service.internal`.', ProblemOrScrapeProblem),
      502: problem('The target did not return a page: `dns.*`, `connect.*`, `tls.invalid`, …', ScrapeProblem),
      503: problem(
        'Service temporarily unavailable: `service.*`. See `Retry-After`.',
        ProblemOrScrapeProblem,
      ),
      504: problem('Timed out without a page: `timeout.*`.', ScrapeProblem),
    },
    /**
     * Everything is done in the first hook. The later steps of Fastify are not needed, and would take longer than all the
     * rest (measured with `npm run bench`).
     */
    register: (app, { url, access }, deps) => {
      const scrapeAccess = { ...access, needsPermit: true };
      const onRequest = (request: FastifyRequest, reply: FastifyReply, refuse: (cause: Error) => void) => {
        const begin = (body: unknown) => {
          request.work = scrape(deps, request, reply, body);
          request.work.then(null, (cause) => {
            if (!reply.raw.headersSent) return refuse(cause);
            // The head of a stream of events was sent, so that there can be no other response.
            deps.logger.error({ err: cause }, 'internal error');
            reply.raw.destroy();
          });
        };
        const refuseBody = (cause: Error) => {
          // The rest of the body is not read, so the connection cannot be used again.
          reply.header('connection', 'close');
          refuse(cause);
        };
        const read = () => {
          readJsonBody(request.raw, BODY_LIMIT).then(begin, refuseBody);
        };
        const admitting = admit(deps.control, scrapeAccess, request, reply);
        if (admitting === null) read();
        else admitting.then(read, refuse);
      };
      app.post(url, { onRequest }, () => {
        throw new Error('the route handler was reached, although onRequest sends the response');
      });
    },
  }),
];
