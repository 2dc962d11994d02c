import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Accounts } from '../account/accounts.ts';
import type { MemoryBudget, MemoryReservation } from '../base/memory-budget.ts';
import { CLIENT_DISCONNECTED, type Clock, deadlineUnder, HOLDING_LOST } from '../base/time.ts';
import type { Principal } from '../domain/account.ts';
import { failure, isFailure } from '../domain/failure.ts';
import type { InFlight } from '../http/core/in-flight.ts';
import { BODY_LIMIT } from '../http/core/json-body.ts';
import { Refusal } from '../http/core/refusal.ts';
import { nextRequestId } from '../http/core/request-id.ts';
import { MEMORY_WAIT_MS } from '../http/core/request-resources.ts';
import { closeWithLinger, refusalFromError } from '../http/core/send-refusal.ts';
import { reserveBudgetAndPlan, runPlanned } from '../http/operations/run-planned.ts';
import type { Events } from '../observe/events.ts';
import type { Logger } from '../observe/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { Permits } from '../ports/permits.ts';
import { authenticate, takePermit } from './admission.ts';
import { bodyLimitOf, proxyTask, readCredentials, requestMembers, type Tunnel } from './proxy-request.ts';
import { readBody } from './read-body.ts';
import { refusalProblem, sendScrape } from './send-response.ts';

export interface ProxyDeps {
  readonly accounts: Accounts;
  readonly permits: Permits;
  readonly inFlight: InFlight;
  readonly pipeline: Pipeline;
  readonly memory: MemoryBudget;
  readonly metrics: Metrics;
  readonly events: Events;
  readonly clock: Clock;
  readonly logger: Logger;
  /** URL of the API, for links to the explanations of errors. */
  readonly baseUrl: () => string;
  /** Why new requests are refused; null: they are accepted. */
  readonly unavailable: () => Refusal | null;
}

const NO_UPGRADE = failure('request.upgrade', 'The proxy port does not support WebSocket.');

/** A request on its way, and what is released when it has ended. */
interface ProxyCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tunnel: Tunnel | null;
  readonly requestId: string;
  readonly cancel: AbortController;
  readonly reservation: MemoryReservation;
  principal: Principal | null;
}

/** Answers one request: with the page, or with a problem. Never rejects. */
export async function handleRequest(
  deps: ProxyDeps,
  request: IncomingMessage,
  response: ServerResponse,
  tunnel: Tunnel | null,
): Promise<void> {
  const call: ProxyCall = {
    request,
    response,
    tunnel,
    requestId: nextRequestId(),
    cancel: new AbortController(),
    reservation: deps.memory.open(),
    principal: null,
  };
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) call.cancel.abort(CLIENT_DISCONNECTED);
      resolve();
    });
  });
  // A failed write closes the response. Without a listener, the error would end the process.
  response.on('error', () => {});
  try {
    await answer(deps, call, closed);
  } catch (error) {
    refuse(deps, call, error);
  }
  await closed;
  call.reservation.close();
}

async function answer(deps: ProxyDeps, call: ProxyCall, closed: Promise<void>): Promise<void> {
  const { request, tunnel } = call;
  const unavailable = deps.unavailable();
  if (unavailable !== null) throw unavailable;
  const credentials = readCredentials(tunnel?.authorization ?? request.headers['proxy-authorization']);
  const ip = tunnel?.ip ?? request.socket.remoteAddress ?? '';
  const principal = await authenticate(deps.accounts, credentials, ip);
  call.principal = principal;
  const permit = await takePermit(deps.permits, principal);
  try {
    if (permit.signal.aborted) call.cancel.abort(HOLDING_LOST);
    if (request.headers.upgrade?.toLowerCase().includes('websocket') === true)
      throw new Refusal([NO_UPGRADE]);
    const { scrape, storing } = await run(deps, call, principal, credentials!.options);
    sendScrape(request, call.response, scrape, deps.baseUrl());
    deps.events.scrapeEnded(scrape, principal, { storing, headers: request.headers });
    await closed;
  } finally {
    permit.release();
  }
}

/** Reads the request, and scrapes the page. Rejects with a Refusal. */
async function run(deps: ProxyDeps, call: ProxyCall, principal: Principal, options: string) {
  const { request, response, tunnel, cancel, reservation } = call;
  const members = requestMembers(request, tunnel, options);
  if (isFailure(members)) throw new Refusal([members]);
  const body = await receiveBody(call, bodyLimitOf(members));
  const startedAt = deps.clock.monotonic();
  const { task, problems } = proxyTask(members, body);
  if (task === null) throw new Refusal(problems);
  const selectorProblems = deps.pipeline.problems(task);
  if (selectorProblems.length > 0) throw new Refusal(selectorProblems);
  const browserCheck = deps.pipeline.discover(task);
  if (browserCheck !== null) await browserCheck;
  const plan = await reserveBudgetAndPlan(deps, principal, task);
  if (response.destroyed) cancel.abort(CLIENT_DISCONNECTED);
  const { requestId } = call;
  return await runPlanned(deps, {
    ...{ task, plan, principal, requestId, cancel, startedAt, reservation },
  });
}

async function receiveBody(
  { request, response, cancel, reservation }: ProxyCall,
  limit: number,
): Promise<Uint8Array | null> {
  if (
    request.headers.expect?.toLowerCase() === '100-continue' &&
    Number(request.headers['content-length'] ?? 0) <= limit
  )
    response.writeContinue();
  using deadline = deadlineUnder(MEMORY_WAIT_MS, cancel.signal);
  const body = await readBody(request, limit, reservation, deadline.signal);
  if (isFailure(body)) throw new Refusal([body]);
  return body;
}

/** Sends a refusal. A body that was not read is discarded with the connection. */
function refuse(deps: ProxyDeps, call: ProxyCall, error: unknown): void {
  const { request, response, tunnel, requestId, principal } = call;
  const refusal = refusalFromError(error, BODY_LIMIT) ?? internalRefusal(deps, error, requestId);
  if (response.headersSent) return void response.destroy();
  const { status, headers, body } = refusalProblem(refusal, requestId, deps.baseUrl());
  const closes = !request.complete && hasBody(request);
  // The client may still send its body.
  if (closes) closeWithLinger(request.socket);
  response.writeHead(status, { ...headers, ...(closes ? { connection: 'close' } : {}) });
  response.end(body);
  deps.events.requestRefused({
    requestId,
    code: refusal.code,
    status,
    method: request.method ?? '',
    path: tunnel === null ? (request.url ?? '') : `https://${tunnel.authority}`,
    userId: principal?.userId ?? null,
    keyId: principal?.keyId ?? null,
  });
}

export function internalRefusal({ logger }: ProxyDeps, error: unknown, requestId: string): Refusal {
  logger.error({ err: error, request_id: requestId }, 'internal error in the proxy port');
  return Refusal.of('service.internal', 'Internal error. The log of the service has the details.');
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
