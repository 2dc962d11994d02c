import type { ServiceApi } from '../helpers/service.ts';

export interface ScrapeEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface ScrapeStream {
  readonly status: number;
  readonly headers: Headers;
  /** Those that have arrived so far. */
  readonly events: readonly ScrapeEvent[];
  /** Resolves when the service has ended the response. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Scrapes with the progress as Server-Sent Events. Resolves when the response begins. */
export async function streamScrape(
  service: Pick<ServiceApi, 'base' | 'key'>,
  body: object,
): Promise<ScrapeStream> {
  const closing = new AbortController();
  const response = await fetch(`${service.base}/api/v1/scrape/`, {
    method: 'POST',
    headers: {
      authorization: `Api-Key ${service.key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(body),
    signal: closing.signal,
  });
  const events: ScrapeEvent[] = [];
  const read = async () => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        // A comment, which is sent when nothing else is for a while.
        if (part.startsWith(':')) continue;
        const [, type, data] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(part) ?? [];
        if (type === undefined) throw new Error(`not an event: ${part}`);
        events.push({ type, data: JSON.parse(data!) });
      }
    }
  };
  const ended = read().catch((error) => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    status: response.status,
    headers: response.headers,
    events,
    ended,
    close: () => closing.abort(),
  };
}
