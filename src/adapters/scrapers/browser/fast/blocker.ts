import { resourceType } from '../capture/resource-type.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { NAVIGATIONS, type Paused } from '../visit/paused.ts';

/** Where requests are held: those of a dedicated worker are by the page or frame that it belongs to. */
const HOLDS = new Set(['page', 'iframe', 'service_worker', 'shared_worker']);
const ALL = { urlPattern: '*', requestStage: 'Request' } as const;

/** One that waits to be let through, and where. */
interface Held {
  readonly session: CdpSession;
  readonly event: Paused;
}

/**
 * Keeps sub-resources of one page from being loaded. What holds a request knows less of its type (fetch, frames of text,
 * objects) than what tells of it; they come in either order, and both are needed.
 */
export class Blocker {
  readonly #unwanted: (type: string, url: string) => boolean;
  readonly #held = new Map<string, Held>();
  /** Types as told, by request. */
  readonly #told = new Map<string, string>();

  constructor(unwanted: (type: string, url: string) => boolean) {
    this.#unwanted = unwanted;
  }

  /**
   * Asks for all that is needed of a session of the page, a frame or a worker, before it runs.
   * @param type of its target, as in the DevTools Protocol
   */
  govern(session: CdpSession, type: string): Promise<unknown>[] {
    session.on(
      'Network.requestWillBeSent',
      ({ requestId, type: named, initiator, redirectResponse, request }) => {
        if (named === 'Document' || redirectResponse !== undefined || request.url.startsWith('data:')) return;
        // What asks whether another origin takes a request, is no resource.
        const told = initiator.type === 'preflight' ? 'preflight' : resourceType(named);
        const held = this.#held.get(requestId);
        this.#held.delete(requestId);
        if (held === undefined) this.#told.set(requestId, told);
        else this.#decide(held, told);
      },
    );
    const asked = [
      // Also of workers: what they ask for has a number only then.
      session.send('Network.enable'),
      // What comes from the cache of the page is told of and never held. Playwright does the same.
      session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    ];
    if (!HOLDS.has(type)) return asked;
    const isPage = type === 'page';
    session.on('Fetch.requestPaused', (event) => this.#onPaused({ session, event }, isPage));
    const patterns = isPage ? [...NAVIGATIONS, ALL] : [ALL];
    return [...asked, session.send('Fetch.enable', { patterns, handleAuthRequests: isPage })];
  }

  #onPaused(held: Held, isPage: boolean): void {
    const { resourceType: kind, networkId, redirectedRequestId } = held.event;
    // Documents of the page's own session are the business of the visit.
    if (kind === 'Document' && isPage) return;
    // Where a request is led to, is no request of the page.
    if (kind === 'Document' || networkId === undefined || redirectedRequestId !== undefined) {
      letThrough(held);
      return;
    }
    const told = this.#told.get(networkId);
    this.#told.delete(networkId);
    if (told === undefined) this.#held.set(networkId, held);
    else this.#decide(held, told);
  }

  #decide(held: Held, type: string): void {
    const { requestId, request } = held.event;
    const errorReason = 'BlockedByClient' as const;
    if (!this.#unwanted(type, request.url)) letThrough(held);
    else held.session.send('Fetch.failRequest', { requestId, errorReason }).catch(() => {});
  }
}

/** A page that is closed meanwhile refuses what is asked of it. */
function letThrough({ session, event: { requestId } }: Held): void {
  session.send('Fetch.continueRequest', { requestId }).catch(() => {});
}
