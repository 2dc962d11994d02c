import type { BrowserContext } from 'playwright-core';
import { urlGlob } from '../../base/url-patterns.ts';
import type { BrowserOptions } from '../../domain/browser-options.ts';
import { WARNINGS, type Warning } from '../../domain/failure.ts';
import type { ConnectionLog } from '../../egress/gateway/gateway.ts';
import {
  type CdpSession,
  NAVIGATION_PATTERNS,
  type RequestPausedEvent,
  resourceType,
} from './cdp-session.ts';

/** What the caller does not want to be loaded, by type and URL; the documents of frames stay. null: nothing is unwanted. */
export function requestBlockFilter({
  block,
}: BrowserOptions): ((type: string, url: string) => boolean) | null {
  if (block.types.length === 0 && block.urls.length === 0) return null;
  const types = new Set(block.types);
  const globs = block.urls.map(urlGlob);
  return (type, url) => type !== 'document' && (types.has(type) || globs.some((glob) => glob.matches(url)));
}

/** Keeps it from being loaded, in the full lane. */
export async function routeBlockedRequests(context: BrowserContext, ask: BrowserOptions): Promise<void> {
  const unwanted = requestBlockFilter(ask);
  if (unwanted === null) return;
  // Playwright's own globs are regular expressions, which a URL of the page's choice can make run for minutes.
  await context.route('**/*', (route) => {
    const request = route.request();
    return unwanted(resourceType(request.resourceType()), request.url())
      ? route.abort('blockedbyclient')
      : route.fallback();
  });
}

/** The places that a page may not reach, with how often it tried. */
export class BlockedHosts {
  readonly #hosts = new Map<string, number>();
  #count = 0;

  readonly record = ({ host, cause }: ConnectionLog): void => {
    if (cause?.code !== 'policy.address') return;
    this.#count++;
    const name = host ?? '';
    if (this.#hosts.has(name) || this.#hosts.size < MAX_HOSTS)
      this.#hosts.set(name, (this.#hosts.get(name) ?? 0) + 1);
  };

  /** @param except a host that is told otherwise */
  warnings(except: string | null): readonly Warning[] {
    const count = this.#count - (this.#hosts.get(except ?? '') ?? 0);
    if (count === 0) return [];
    const hosts = Array.from(this.#hosts, ([host, count]) => ({ host, count }));
    return [
      {
        code: 'egress.blocked',
        message: `${count} × ${WARNINGS['egress.blocked']}`,
        details: { count, hosts: hosts.filter(({ host }) => host !== except) },
      },
    ];
  }
}

const MAX_HOSTS = 20;

/** Where requests are held: those of a dedicated worker are by the page or frame that it belongs to. */
const INTERCEPTED_TARGETS = new Set(['page', 'iframe', 'service_worker', 'shared_worker']);
const ALL_REQUESTS = { urlPattern: '*', requestStage: 'Request' } as const;

/** One that waits to be let through, and where. */
interface HeldRequest {
  readonly session: CdpSession;
  readonly event: RequestPausedEvent;
}

/**
 * Keeps sub-resources of one page from being loaded. What holds a request knows less of its type (fetch, frames of text,
 * objects) than what tells of it; they come in either order, and both are needed.
 */
export class RequestBlocker {
  readonly #isBlocked: (type: string, url: string) => boolean;
  readonly #held = new Map<string, HeldRequest>();
  /** Types as told, by request. */
  readonly #types = new Map<string, string>();

  constructor(unwanted: (type: string, url: string) => boolean) {
    this.#isBlocked = unwanted;
  }

  /**
   * Asks for all that is needed of a session of the page, a frame or a worker, before it runs.
   * @param type of its target, as in the DevTools Protocol
   */
  attach(session: CdpSession, type: string): Promise<unknown>[] {
    session.on(
      'Network.requestWillBeSent',
      ({ requestId, type: named, initiator, redirectResponse, request }) => {
        if (named === 'Document' || redirectResponse !== undefined || request.url.startsWith('data:')) return;
        // What asks whether another origin takes a request, is no resource.
        const told = initiator.type === 'preflight' ? 'preflight' : resourceType(named);
        const held = this.#held.get(requestId);
        this.#held.delete(requestId);
        if (held === undefined) this.#types.set(requestId, told);
        else this.#decide(held, told);
      },
    );
    const asked = [
      // Also of workers: what they ask for has a number only then.
      session.send('Network.enable'),
      // What comes from the cache of the page is told of and never held. Playwright does the same.
      session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    ];
    if (!INTERCEPTED_TARGETS.has(type)) return asked;
    const isPage = type === 'page';
    session.on('Fetch.requestPaused', (event) => this.#onPaused({ session, event }, isPage));
    const patterns = isPage ? [...NAVIGATION_PATTERNS, ALL_REQUESTS] : [ALL_REQUESTS];
    return [...asked, session.send('Fetch.enable', { patterns, handleAuthRequests: isPage })];
  }

  #onPaused(held: HeldRequest, isPage: boolean): void {
    const { resourceType: kind, networkId, redirectedRequestId } = held.event;
    // Documents of the page's own session are the business of the visit.
    if (kind === 'Document' && isPage) return;
    // Where a request is led to, is no request of the page.
    if (kind === 'Document' || networkId === undefined || redirectedRequestId !== undefined) {
      continueRequest(held);
      return;
    }
    const told = this.#types.get(networkId);
    this.#types.delete(networkId);
    if (told === undefined) this.#held.set(networkId, held);
    else this.#decide(held, told);
  }

  #decide(held: HeldRequest, type: string): void {
    const { requestId, request } = held.event;
    const errorReason = 'BlockedByClient' as const;
    if (!this.#isBlocked(type, request.url)) continueRequest(held);
    else held.session.send('Fetch.failRequest', { requestId, errorReason }).catch(() => {});
  }
}

/** A page that is closed meanwhile refuses what is asked of it. */
function continueRequest({ session, event: { requestId } }: HeldRequest): void {
  session.send('Fetch.continueRequest', { requestId }).catch(() => {});
}
