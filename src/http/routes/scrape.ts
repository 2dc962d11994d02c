import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../account/accounts.ts';
import { domainRefusal } from '../../account/key-settings.ts';
import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Clock } from '../../base/time.ts';
import { CLIENT_DISCONNECTED } from '../../base/time.ts';
import type { Principal } from '../../domain/account.ts';
import type { Job } from '../../domain/job.ts';
import type { Events } from '../../observe/events.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { AnsweredScrape, Pipeline } from '../../pipeline/pipeline.ts';
import type { PictureUrlOf } from '../../wire/answer/picture-links.ts';
import { parseJob } from '../../wire/request/parse-job.ts';
import { type AdmissionControl, admit, type RouteAccess } from '../access.ts';
import type { InFlight } from '../in-flight.ts';
import { BODY_LIMIT, readJson } from '../json-body.ts';
import { Refusal, refuseIf } from '../refusal.ts';
import { memoryOf } from '../request-resources.ts';
import { type PreparedScrape, prepareScrape, sendScrape } from '../send-scrape.ts';

type Plan = NonNullable<ReturnType<Pipeline['plan']>['plan']>;

export interface ScrapeRouteParts {
  readonly gate: AdmissionControl;
  readonly accounts: Accounts;
  readonly pipeline: Pipeline;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly memory: MemoryBudget;
  readonly inFlight: InFlight;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly pictureUrl: PictureUrlOf;
}

const DOOR: RouteAccess = { scope: 'scrape', hasBody: true, isScrape: true };

/** All is done in the first hook: what the framework has between that and a handler, nothing here needs. */
export function scrapeRoute(app: FastifyInstance, parts: ScrapeRouteParts): void {
  const onRequest = (request: FastifyRequest, reply: FastifyReply, refuse: (cause: Error) => void) => {
    const begin = (body: unknown) => {
      request.work = scrape(parts, request, reply, body);
      request.work.then(null, refuse);
    };
    const refuseBody = (cause: Error) => {
      reply.header('connection', 'close');
      refuse(cause);
    };
    const read = () => {
      readJson(request.raw, BODY_LIMIT).then(begin, refuseBody);
    };
    const admitting = admit(parts.gate, DOOR, request, reply);
    if (admitting === null) read();
    else admitting.then(read, refuse);
  };
  app.post('/api/v1/scrape', { onRequest }, () => {
    throw new Error('a scrape went on behind its answer');
  });
}

/** Rejects with the refusal, before it is a scrape. */
async function scrape(
  parts: ScrapeRouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<void> {
  const startedAt = parts.clock.monotonic();
  const principal = request.principal!;
  const job = jobOf(parts, body);
  const looking = parts.pipeline.discover(job);
  if (looking !== null) await looking;
  const plan = accept(parts, principal, job);
  const reservation = memoryOf(request, parts.memory);
  let ready: PreparedScrape | null = null;
  const cancel = opened(parts, request, reply);
  let answered: AnsweredScrape;
  try {
    answered = await parts.pipeline.run({
      job,
      plan,
      principal,
      requestId: request.id,
      cancel,
      startedAt,
      reservation,
      whileStoring: (stored) => {
        ready = prepareScrape(stored, parts);
      },
      allowUrl: principal.domains.length === 0 ? null : (url) => domainRefusal(principal, url),
    });
  } finally {
    parts.inFlight.delete(cancel);
    parts.metrics.changeInFlight(-1);
  }
  parts.accounts.spend(principal, answered.scrape.cost);
  // Nothing was done, and nothing was stored: it does not count.
  if (answered.scrape.id === null && answered.scrape.attempts.length === 0)
    parts.accounts.releaseBudget(principal);
  sendScrape(reply, readyFor(answered, ready) ?? prepareScrape(answered, parts));
  // Behind the answer, which is on its way: told in the same turn, before anything else can be asked.
  parts.events.scrapeEnded(answered.scrape, principal);
}

/** What was made ready, if it is what is answered: what could not be stored is answered otherwise. */
function readyFor(answered: AnsweredScrape, ready: PreparedScrape | null): PreparedScrape | null {
  return ready?.answered === answered ? ready : null;
}

/** Contract §8 from the schema to the routing: what is refused here leaves no record. */
function jobOf(parts: ScrapeRouteParts, body: unknown): Job {
  const { job, problems } = parseJob(body);
  if (job === null) throw new Refusal(problems);
  const wrong = parts.pipeline.problems(job);
  if (wrong.length > 0) throw new Refusal(wrong);
  return job;
}

function accept(parts: ScrapeRouteParts, principal: Principal, job: Job): Plan {
  refuseIf(parts.accounts.reserveBudget(principal));
  const planned = parts.pipeline.plan(job);
  const refused =
    (principal.domains.length === 0 ? null : domainRefusal(principal, new URL(job.url))) ?? planned.failure;
  if (refused === null) return planned.plan!;
  parts.accounts.releaseBudget(principal);
  throw new Refusal([refused], { candidates: planned.failure === refused ? planned.candidates : undefined });
}

/** Counts a scrape as running; what ends it when the caller hangs up or the service stops. */
function opened(
  { inFlight, metrics }: ScrapeRouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): AbortController {
  const cancel = new AbortController();
  request.cancel = cancel;
  if (reply.raw.destroyed) cancel.abort(CLIENT_DISCONNECTED);
  inFlight.add(cancel);
  metrics.changeInFlight(1);
  return cancel;
}
