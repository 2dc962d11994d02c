import type { CDPSession } from 'playwright-core';
import type { HeaderList } from '../../domain/fetch-result.ts';

/**
 * One session of the Chrome DevTools Protocol: what Playwright's sessions and those of our own connection have in common.
 * `send` rejects when the browser refuses, and when the session has ended.
 */
export type CdpSession = Pick<CDPSession, 'send' | 'on' | 'off'>;

/** Playwright words it so, and our own connection too. */
const PROTOCOL_ERROR = /Protocol error \(([\w.]+)\): (.*)/;
/** The browser has ended the page, or what the command was for, by itself: it tells of that by its events. */
const TARGET_CLOSED =
  /Invalid InterceptionId|Session with given id|target closed|target navigated or closed/i;

/** The command that the browser refused, and why; null: what was asked about is gone, or the browser. */
export function protocolErrorOf(error: unknown): string | null {
  const told = error instanceof Error ? PROTOCOL_ERROR.exec(error.message) : null;
  if (told === null || TARGET_CLOSED.test(told[2]!)) return null;
  return `${told[1]}: ${told[2]}`;
}

/** As `Fetch.requestPaused` tells it; only what is used here. */
export interface RequestPausedEvent {
  readonly requestId: string;
  readonly networkId?: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly redirectedRequestId?: string;
  readonly request: {
    readonly url: string;
    readonly urlFragment?: string;
    readonly method: string;
    readonly headers: Record<string, string>;
  };
  readonly responseStatusCode?: number;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
}

/** `networkId` is what the document will be known by. */
export type PausedNavigation = RequestPausedEvent & { readonly networkId: string };

/** What has none is a file that the page wants to be kept (`<a download>`), which the browser then does not do. */
export const isPausedNavigation = (event: RequestPausedEvent): event is PausedNavigation =>
  event.networkId !== undefined;

const DOCUMENT_REQUESTS = { resourceType: 'Document' } as const;

/** Pauses every navigation before it is sent and before it is shown. */
export const NAVIGATION_PATTERNS = [
  { ...DOCUMENT_REQUESTS, requestStage: 'Request' },
  { ...DOCUMENT_REQUESTS, requestStage: 'Response' },
] as const;

/** Of the request, with its fragment. */
export function pausedUrl({ request: { url, urlFragment } }: RequestPausedEvent): string {
  return `${url}${urlFragment ?? ''}`;
}

/** Of the answer; cookies are missing. */
export function pausedResponseHeaders({ responseHeaders }: RequestPausedEvent): HeaderList {
  return (responseHeaders ?? []).map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
}

/** Of the bodies of a page, outside of the process that shows it. */
const MESSAGE_BUFFER_BYTES = 32 * 2 ** 20;

/** Has the browser tell of a page what a `Visit` listens to; settles when it will. Rejects with the page. */
export async function enableDomains(session: CdpSession): Promise<void> {
  await Promise.all([
    session.send('Network.enable'),
    // For pages whose scripts never end. An older Chromium does not know the command.
    session
      .send('Network.configureDurableMessages', {
        maxTotalBufferSize: MESSAGE_BUFFER_BYTES,
        maxResourceBufferSize: MESSAGE_BUFFER_BYTES,
      })
      .catch(() => {}),
    session.send('Page.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    // A document that is made ahead would be shown without having come by here.
    session.send('Page.setPrerenderingAllowed', { isAllowed: false }),
    session.send('Fetch.enable', { patterns: [...NAVIGATION_PATTERNS], handleAuthRequests: true }),
  ]);
}

const RESOURCE_TYPES = new Set([
  ...['document', 'stylesheet', 'image', 'media', 'font', 'script', 'texttrack', 'xhr', 'fetch'],
  ...['eventsource', 'manifest'],
]);

/** As requests name it. @param type of the DevTools Protocol */
export function resourceType(type: string | undefined): string {
  const name = type?.toLowerCase() ?? '';
  return RESOURCE_TYPES.has(name) ? name : 'other';
}
