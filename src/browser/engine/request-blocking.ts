import type { BrowserContext } from 'playwright-core';
import { urlGlob } from '../../base/url-patterns.ts';
import { WARNINGS, type Warning } from '../../domain/failure.ts';
import type { ScraperOptions } from '../../domain/scraper-options.ts';
import type { ConnectionLog } from '../../egress/gateway/gateway.ts';
import {
  type CdpSession,
  NAVIGATION_PATTERNS,
  type RequestPausedEvent,
  resourceType,
} from './cdp-session.ts';

/** Tells whether a request is blocked, by type and URL. Documents, also of frames, never are. null: the task blocks nothing. */
export function requestBlockFilter({
  block,
}: Pick<ScraperOptions, 'block'>): ((type: string, url: string) => boolean) | null {
  if (block.types.length === 0 && block.urls.length === 0) return null;
  const types = new Set(block.types);
  const globs = block.urls.map(urlGlob);
  return (type, url) => type !== 'document' && (types.has(type) || globs.some((glob) => glob.matches(url)));
}

/** Blocks requests with the driver `playwright`. */
export async function routeBlockedRequests(context: BrowserContext, options: ScraperOptions): Promise<void> {
  const isBlocked = requestBlockFilter(options);
  if (isBlocked === null) return;
  // `block.urls` is not given to Playwright: it makes regular expressions of globs, and some URLs keep those busy for minutes.
  await context.route('**/*', (route) => {
    const request = route.request();
    return isBlocked(resourceType(request.resourceType()), request.url())
      ? route.abort('blockedbyclient')
      : route.fallback();
  });
}

/** Counts connections that were refused by the address policy, by host. */
export class BlockedHosts {
  /** The host is `''` if the request could not be parsed. */
  readonly #hosts = new Map<string, number>();
  #count = 0;
  /** Called for each connection that the gateway has refused, whatever the cause. */
  onConnectionRefused: (refusal: ConnectionLog) => void = () => {};

  readonly recordConnection = (refusal: ConnectionLog): void => {
    this.record(refusal);
    this.onConnectionRefused(refusal);
  };

  readonly record = ({ host, cause }: Pick<ConnectionLog, 'host' | 'cause'>): void => {
    if (cause?.code !== 'policy.address') return;
    this.#count++;
    const name = host ?? '';
    if (this.#hosts.has(name) || this.#hosts.size < MAX_HOSTS)
      this.#hosts.set(name, (this.#hosts.get(name) ?? 0) + 1);
  };

  /** @param except a host whose refusal is reported as an error of the page; null: none */
  warnings(except: string | null): readonly Warning[] {
    const reportedElsewhere = except === null ? 0 : (this.#hosts.get(except) ?? 0);
    const count = this.#count - reportedElsewhere;
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

/** Limits the size of the warning. Refusals of further hosts are only counted. */
const MAX_HOSTS = 20;

/** Targets whose sessions pause requests. Those of a dedicated worker are paused in the session of its page or frame. */
const INTERCEPTED_TARGETS = new Set(['page', 'iframe', 'service_worker', 'shared_worker']);
const ALL_REQUESTS = { urlPattern: '*', requestStage: 'Request' } as const;

/** A paused request, and its session. */
interface PausedRequest {
  readonly session: CdpSession;
  readonly event: RequestPausedEvent;
}

/**
 * Blocks sub-resources of one page with the driver `cdp`. `Fetch.requestPaused` pauses a request, but reports some types less
 * exactly than `Network.requestWillBeSent` (fetch, text tracks, objects). So both events are needed; they come in either order.
 */
export class RequestBlocker {
  readonly #isBlocked: (type: string, url: string) => boolean;
  /** By network id: requests whose type is not known yet. */
  readonly #paused = new Map<string, PausedRequest>();
  /** By network id: types of requests that are not paused yet. */
  readonly #types = new Map<string, string>();

  constructor(isBlocked: (type: string, url: string) => boolean) {
    this.#isBlocked = isBlocked;
  }

  /**
   * Enables blocking in a session of the page, a frame or a worker, before its scripts run.
   * @param type of the target, as in CDP
   * @returns the results of the commands, which reject when the target ends
   */
  attach(session: CdpSession, type: string): Promise<unknown>[] {
    session.on(
      'Network.requestWillBeSent',
      ({ requestId, type: cdpType, initiator, redirectResponse, request }) => {
        if (cdpType === 'Document' || redirectResponse !== undefined || request.url.startsWith('data:'))
          return;
        // CORS preflights are not resources.
        const type = initiator.type === 'preflight' ? 'preflight' : resourceType(cdpType);
        const paused = this.#paused.get(requestId);
        this.#paused.delete(requestId);
        if (paused === undefined) this.#types.set(requestId, type);
        else this.#decide(paused, type);
      },
    );
    const commands = [
      // Also needed in workers: without it, their requests have no network id.
      session.send('Network.enable'),
      // Requests answered from the cache are reported, but never paused. Playwright does the same.
      session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    ];
    if (!INTERCEPTED_TARGETS.has(type)) return commands;
    const isPage = type === 'page';
    session.on('Fetch.requestPaused', (event) => this.#onPaused({ session, event }, isPage));
    const patterns = isPage ? [...NAVIGATION_PATTERNS, ALL_REQUESTS] : [ALL_REQUESTS];
    return [...commands, session.send('Fetch.enable', { patterns, handleAuthRequests: isPage })];
  }

  #onPaused(paused: PausedRequest, isPage: boolean): void {
    const { resourceType: cdpType, networkId, redirectedRequestId } = paused.event;
    // `MainFrame` handles documents of the page's own session.
    if (cdpType === 'Document' && isPage) return;
    // Documents of frames are never blocked. A redirect is part of a request that was not blocked.
    if (cdpType === 'Document' || networkId === undefined || redirectedRequestId !== undefined) {
      continueRequest(paused);
      return;
    }
    const type = this.#types.get(networkId);
    this.#types.delete(networkId);
    if (type === undefined) this.#paused.set(networkId, paused);
    else this.#decide(paused, type);
  }

  #decide(paused: PausedRequest, type: string): void {
    const { requestId, request } = paused.event;
    const errorReason = 'BlockedByClient' as const;
    if (!this.#isBlocked(type, request.url)) continueRequest(paused);
    else paused.session.send('Fetch.failRequest', { requestId, errorReason }).catch(() => {});
  }
}

/** Errors are ignored: the page may have been closed meanwhile. */
function continueRequest({ session, event: { requestId } }: PausedRequest): void {
  session.send('Fetch.continueRequest', { requestId }).catch(() => {});
}
