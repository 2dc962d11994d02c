import { pause } from './deadline.ts';
import { readEvents } from './server-sent-events.ts';
import type { CallOptions, Transport } from './transport.ts';
import type { Job, JobItem } from './types.gen.ts';

/** An event of a job. */
export interface JobEvent {
  readonly type: string;
  /** Number of the event in the job. */
  readonly sequence: number;
  readonly at: string;
  readonly state: Job['state'];
  readonly counts: Job['counts'];
  /** The item that the event is about; null: it is about the job. */
  readonly item: JobItem | null;
}

const RETRY_MS = 2_000;
/** The service sends something each 15 s. A connection on which nothing arrives for this time is dead. */
const SILENCE_MS = 45_000;
/** A service that is started again is there again within this many tries. */
const MAX_RETRIES = 10;

/** Events of a job until there are no more, over as many connections as that takes. */
export async function* followEvents(
  transport: Transport,
  path: string,
  {
    lastEventId = 0,
    signal,
    maxRetries = MAX_RETRIES,
    ...options
  }: CallOptions & { readonly lastEventId?: number },
): AsyncGenerator<JobEvent, void, undefined> {
  let last = lastEventId;
  let retryMs = RETRY_MS;
  for (;;) {
    const before = last;
    const connection = new AbortController();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const stayAwake = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => connection.abort(), SILENCE_MS);
    };
    const stop = (): void => connection.abort(signal?.reason);
    try {
      const headers = { accept: 'text/event-stream', 'last-event-id': String(last) };
      const call = { signal, maxRetries, ...options } as CallOptions;
      const response = await transport.open({ method: 'GET', path, headers }, call, connection);
      if (response.status === 204 || response.body === null) return;
      signal?.addEventListener('abort', stop);
      if (signal?.aborted === true) stop();
      stayAwake();
      for await (const part of readOrEnd(response.body, stayAwake)) {
        if ('retryMs' in part) {
          retryMs = part.retryMs;
          continue;
        }
        const event = JSON.parse(part.data) as JobEvent;
        last = event.sequence;
        yield event;
      }
      signal?.throwIfAborted();
    } finally {
      clearTimeout(silence);
      signal?.removeEventListener('abort', stop);
      connection.abort();
    }
    if (last === before) await pause(retryMs, signal);
  }
}

/** As `readEvents`; a connection that breaks off is an end like any other. */
async function* readOrEnd(body: ReadableStream<Uint8Array>, onBytes: () => void) {
  const events = readEvents(body, onBytes);
  for (;;) {
    const next = await events.next().catch(() => ({ done: true }) as const);
    if (next.done === true) return;
    yield next.value;
  }
}
