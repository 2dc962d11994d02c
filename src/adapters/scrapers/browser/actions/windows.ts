import type { CDPSession } from 'playwright-core';
import { deadlineIn } from '../../../../base/deadline.ts';
import type { FullTab } from '../tab.ts';
import type { LinkedRequest } from '../visit/linked-request.ts';
import { withoutCredentials } from '../visit/without-credentials.ts';

/** How long a window that was opened empty may take to be told where it goes. */
const EMPTY_MS = 1_000;
/** Bytes of a form that can be sent in place of a window; browsers tell of no files. */
const MOST_BODY = 2 ** 20;

/** A window that the page has opened beside itself. */
export interface OpenedWindow {
  readonly targetId: string;
  /** Where it was to go, without credentials; `about:blank` and `blob:` have nothing to be fetched. */
  url: string;
  /** What it was about to send; null: nothing that could be sent in its place. */
  request: LinkedRequest | null;
  /** By `performance.now()`. */
  readonly openedAt: number;
}

interface Watched extends OpenedWindow {
  requestId: string | null;
}

/**
 * The windows that a page opens while actions are done on it. Their first request is held before it is sent, so that the page
 * itself can be led there in their place; none of them loads anything.
 */
export class Windows {
  readonly #session: CDPSession;
  readonly #full: FullTab;
  readonly #windows = new Map<string, Watched>();
  /** Something of a window has become known. */
  #changed: (() => void) | null = null;

  private constructor(session: CDPSession, full: FullTab) {
    this.#session = session;
    this.#full = full;
  }

  /** @param ofPage the session of the page itself. Rejects with the browser. */
  static async watch(full: FullTab, ofPage: Pick<CDPSession, 'send'>): Promise<Windows> {
    const { targetInfo: own } = await ofPage.send('Target.getTargetInfo');
    const session = await full.context.browser()!.newBrowserCDPSession();
    const windows = new Windows(session, full);
    let begun = false;
    session.on('Target.targetCreated', ({ targetInfo: { type, targetId, browserContextId, url } }) => {
      // The pages of other scrapes are told of, too, and all that were open before.
      if (!begun || type !== 'page' || browserContextId !== own.browserContextId) return;
      if (targetId === own.targetId) return;
      windows.#windows.set(targetId, {
        targetId,
        url: url || 'about:blank',
        request: null,
        requestId: null,
        openedAt: performance.now(),
      });
    });
    session.on('Target.targetInfoChanged', ({ targetInfo: { targetId: id, url } }) => {
      const window = windows.#windows.get(id);
      if (window !== undefined && url !== '' && window.requestId === null) window.url = url;
    });
    session.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
      const window = windows.#windows.get(frameId);
      if (window === undefined)
        return void session.send('Fetch.continueRequest', { requestId }).catch(() => {});
      window.requestId = requestId;
      window.url = withoutCredentials(request.url + (request.urlFragment ?? ''));
      window.request = linkedRequest(request);
      windows.#changed?.();
    });
    await Promise.all([
      session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] }),
      session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] }),
    ]);
    begun = true;
    full.keepsWindows = true;
    return windows;
  }

  /** Some were opened since the last time. */
  get any(): boolean {
    return this.#windows.size > 0;
  }

  /**
   * Those that were opened since the last time, which are closed then. Waits for those that are empty to be told where they go.
   * Never rejects.
   */
  async take(signal: AbortSignal): Promise<readonly OpenedWindow[]> {
    const windows = this.#windows;
    if (windows.size === 0) return [];
    using most = deadlineIn(EMPTY_MS, signal);
    const isEmpty = ({ url, requestId }: Watched) => requestId === null && url === 'about:blank';
    while (!most.signal.aborted && [...windows.values()].some(isEmpty)) await this.#change(most.signal);
    const taken = [...windows.values()];
    windows.clear();
    await Promise.all(taken.map((window) => this.#close(window)));
    return taken;
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        this.#changed = null;
        resolve();
      };
      signal.addEventListener('abort', done, { once: true });
      this.#changed = done;
    });
  }

  async #close({ requestId, targetId }: Watched): Promise<void> {
    const session = this.#session;
    if (requestId !== null)
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => {});
    await session.send('Target.closeTarget', { targetId }).catch(() => {});
  }

  /** From now on windows are closed as they come. Never rejects. */
  async end(): Promise<void> {
    this.#full.keepsWindows = false;
    const left = [...this.#windows.values()];
    this.#windows.clear();
    await Promise.all(left.map((window) => this.#close(window)));
    await this.#session.detach().catch(() => {});
  }
}

interface Told {
  readonly url: string;
  readonly urlFragment?: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hasPostData?: boolean;
  readonly postDataEntries?: readonly { readonly bytes?: string }[];
}

function linkedRequest({ url, urlFragment, method, headers, ...told }: Told): LinkedRequest | null {
  const referrer = headers.Referer ?? null;
  const whole = url + (urlFragment ?? '');
  if (method === 'GET') return { url: whole, referrer, post: null };
  const pieces = (told.postDataEntries ?? []).map(({ bytes }) => bytes);
  if (method !== 'POST' || (told.hasPostData === true && pieces.length === 0)) return null;
  if (!pieces.every((piece) => piece !== undefined)) return null;
  const body = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
  if (body.length > MOST_BODY) return null;
  const { 'Content-Type': contentType, Origin: origin } = headers;
  const fields = Object.entries({ 'Content-Type': contentType, Origin: origin });
  return {
    url: whole,
    referrer,
    post: {
      headers: fields.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
      body: body.toString('base64'),
    },
  };
}
