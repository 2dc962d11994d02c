import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';
import { sleep } from '../../base/wait.ts';
import type { DialectDeps } from '../dialect.ts';
import { BadRequest } from './bad-request.ts';
import { ApiRefusal, bearerKey, type Caller, callerOf } from './caller.ts';
import { isOpen, JOB_KINDS, type JobPath, jobAt, type OwnJob, readPage, statusOf } from './jobs.ts';
import type { Json } from './members.ts';

/** How often a watched job is looked at. */
const STEP_MS = 500;
/** Watchers of one key at the same time. */
const MAX_WATCHERS = 20;
/** Watchers send nothing. */
const MAX_MESSAGE_BYTES = 1_024;
/** A watcher that reads slower than its job runs is cut off; it may go on by polling. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

/** The close codes of RFC 6455 §7.4.1 that are used. */
const NORMAL = 1_000;
const TRY_AGAIN = 1_013;

/**
 * The watchers of jobs: WebSockets at the paths of their status. The client sends its key as the subprotocol, because
 * WebSockets of browsers have no headers.
 */
export function addWatchers(app: FastifyInstance, { callApi }: Pick<DialectDeps, 'callApi'>): void {
  /** Loaded by the first watcher. */
  let sockets: WebSocketServer | null = null;
  const open = new Map<string, number>();
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = targetOf(request);
    const key = keyOf(request);
    if (target === null) return refuse(socket, 404);
    if (key === null) return refuse(socket, 401);
    const count = open.get(key) ?? 0;
    if (count >= MAX_WATCHERS) return refuse(socket, 429);
    open.set(key, count + 1);
    const ended = new AbortController();
    socket.once('close', () => {
      ended.abort();
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
    const caller = callerOf(callApi, key, request.socket.remoteAddress ?? '', ended.signal);
    const job = await jobAt(caller, target.of, target.id).catch(statusOfError);
    if (typeof job === 'number') return refuse(socket, job);
    const { WebSocketServer } = await import('ws');
    sockets ??= new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate());
      watch(client, caller, target, job, ended.signal).catch(() => client.close(TRY_AGAIN));
    });
  };
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch(() => refuse(socket, 500));
  });
  app.addHook('preClose', (done) => {
    for (const client of sockets?.clients ?? []) client.terminate();
    done();
  });
}

interface Target {
  readonly of: JobPath;
  readonly id: string;
}

/** null: there are no watchers at this path. */
function targetOf({ url = '' }: IncomingMessage): Target | null {
  const path = url.replace(/\?.*$/s, '').replace(/\/$/, '');
  for (const of of Object.values(JOB_KINDS)) {
    const id = path.startsWith(`${of.path}/`) ? path.slice(of.path.length + 1) : '';
    if (/^[\w-]+$/.test(id)) return { of, id };
  }
  return null;
}

function keyOf(request: IncomingMessage): string | null {
  const [protocol = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(',');
  return protocol.trim() || bearerKey(request);
}

function statusOfError(error: unknown): number {
  if (error instanceof BadRequest) return error.status;
  if (error instanceof ApiRefusal) return error.reply.status;
  throw error;
}

async function refuse(socket: Duplex, status: number): Promise<void> {
  // An import at the top would load Node's own `fetch` at each start.
  const { STATUS_CODES } = await import('node:http');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Sends what there is (`catchup`), then each document, and at the end `done` or the last state. */
async function watch(
  client: WebSocket,
  caller: Caller,
  { of, id }: Target,
  first: OwnJob,
  signal: AbortSignal,
): Promise<void> {
  const send = (message: Json) => {
    if (client.bufferedAmount > MAX_UNSENT_BYTES) client.close(TRY_AGAIN);
    else client.send(JSON.stringify(message));
  };
  const start = await readPage(caller, first, 0);
  const isWhole = !isOpen(first) && start.next === null;
  // The client stops at a state that is an end.
  const status = isWhole ? statusOf(first) : { ...statusOf(first), status: 'scraping' };
  send({ type: 'catchup', data: { ...status, data: start.documents } });
  let job = first;
  let last = start.last;
  while (!isWhole && client.readyState === client.OPEN) {
    const page = await readPage(caller, job, last);
    last = page.last;
    for (const document of page.documents) send({ type: 'document', data: document });
    if (page.next !== null) continue;
    if (!isOpen(job)) {
      send({ type: job.state === 'done' ? 'done' : 'status', data: { ...statusOf(job), data: [] } });
      break;
    }
    if (!(await sleep(STEP_MS, signal))) return;
    job = await jobAt(caller, of, id);
  }
  client.close(NORMAL);
}
