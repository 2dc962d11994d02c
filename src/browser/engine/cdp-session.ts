import type { CDPSession } from 'playwright-core';
import type { HeaderList } from '../../domain/fetch-result.ts';

/**
 * A session of the Chrome DevTools Protocol (CDP): the methods that Playwright's sessions and our own have in common. `send`
 * rejects when the browser returns an error, and when the session has ended.
 */
export type CdpSession = Pick<CDPSession, 'send' | 'on' | 'off'>;

/** The text of an error response, from Playwright or from our own connection. */
const PROTOCOL_ERROR = /Protocol error \(([\w.]+)\): (.*)/;
/** The target of the command has ended. Events report that, so it does not count as an error. */
const TARGET_CLOSED =
  /Invalid InterceptionId|Session with given id|target closed|target navigated or closed/i;

/** The command that the browser rejected, and why; null: the error has another cause, such as the end of the page. */
export function protocolErrorOf(error: unknown): string | null {
  const match = error instanceof Error ? PROTOCOL_ERROR.exec(error.message) : null;
  if (match === null || TARGET_CLOSED.test(match[2]!)) return null;
  return `${match[1]}: ${match[2]}`;
}

/** The members of `Fetch.requestPaused` that are used here. */
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

/** `networkId` is the `loaderId` of the document. */
export type PausedNavigation = RequestPausedEvent & { readonly networkId: string };

/** Without a `networkId` it is a download (`<a download>`), which is not shown. */
export const isPausedNavigation = (event: RequestPausedEvent): event is PausedNavigation =>
  event.networkId !== undefined;

const DOCUMENT_REQUESTS = { resourceType: 'Document' } as const;

/** Pauses every navigation before it is sent and before it is shown. */
export const NAVIGATION_PATTERNS = [
  { ...DOCUMENT_REQUESTS, requestStage: 'Request' },
  { ...DOCUMENT_REQUESTS, requestStage: 'Response' },
] as const;

/** The URL of the request, with its fragment. */
export function pausedUrl({ request: { url, urlFragment } }: RequestPausedEvent): string {
  return `${url}${urlFragment ?? ''}`;
}

/** The headers of the response. The event has no `Set-Cookie`; `Network.responseReceivedExtraInfo` has it. */
export function pausedResponseHeaders({ responseHeaders }: RequestPausedEvent): HeaderList {
  return (responseHeaders ?? []).map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
}

/** Limit of the response bodies of one page that the browser's main process keeps. */
const MESSAGE_BUFFER_BYTES = 32 * 2 ** 20;

/** Enables the events of a page that `MainFrame` listens to. Rejects when the page ends. */
export async function enableDomains(session: CdpSession): Promise<void> {
  await Promise.all([
    session.send('Network.enable'),
    // Keeps response bodies in the browser's main process. They can then be read even if a script of the page never ends.
    // Older Chromiums do not have the command.
    session
      .send('Network.configureDurableMessages', {
        maxTotalBufferSize: MESSAGE_BUFFER_BYTES,
        maxResourceBufferSize: MESSAGE_BUFFER_BYTES,
      })
      .catch(() => {}),
    session.send('Page.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    // A prerendered document would be shown without a request that this session can intercept.
    session.send('Page.setPrerenderingAllowed', { isAllowed: false }),
    session.send('Fetch.enable', { patterns: [...NAVIGATION_PATTERNS], handleAuthRequests: true }),
  ]);
}

/** The resource types of the API, except `other`. */
const RESOURCE_TYPES = new Set([
  ...['document', 'stylesheet', 'image', 'media', 'font', 'script', 'texttrack', 'xhr', 'fetch'],
  ...['eventsource', 'manifest'],
]);

/** The name of a resource type in the API; `other` for types that it does not have. @param type as in CDP */
export function resourceType(type: string | undefined): string {
  const name = type?.toLowerCase() ?? '';
  return RESOURCE_TYPES.has(name) ? name : 'other';
}
