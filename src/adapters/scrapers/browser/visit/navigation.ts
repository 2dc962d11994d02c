import type { Failure } from '../../../../domain/failure.ts';
import type { FetchedPage, HeaderList, Hop } from '../../../../domain/fetched.ts';
import { RedirectLoop } from '../../http/redirect-loop.ts';
import type { Answer } from './answer.ts';
import { headerLines } from './header-lines.ts';
import type { Outgoing } from './outgoing.ts';
import type { Paused } from './paused.ts';
import type { TappedAnswer } from './tapped-answer.ts';
import { withoutCredentials } from './without-credentials.ts';

/** A head as the network has it: `Fetch` does not tell cookies. */
interface RawHead {
  readonly status: number;
  readonly headers: HeaderList;
}

/** A navigation of the main frame, from its first request to its answer. */
export class Navigation {
  readonly loaderId: string;
  /** What the caller adds; null: the page has started it. */
  outgoing: Outgoing | null;
  /** Those that led here, also from navigations in place of which this one goes on. */
  readonly redirects: Hop[] = [];
  readonly loop = new RedirectLoop();
  /** With the fragment. */
  url: string;
  method: string;
  requestHeaders: HeaderList | null = null;
  answer: Answer | null = null;
  tapped: TappedAnswer | null = null;
  /** As Chromium names it. */
  error = 'net::ERR_FAILED';
  /** It leads nowhere, or another one goes on in its place: what the browser makes of it is of no meaning. */
  over = false;
  ttfbMs = 0;
  tlsMs: number | null = null;
  downloadMs: number | null = null;
  /** Decoded bytes of a body that the browser shows. */
  received = 0;
  /** The body that the browser was given to show; null: it has loaded one. */
  given: Uint8Array | null = null;
  /** Why the body that the browser shows is not whole. */
  cut: Failure | null = null;
  /** Redirects that the browser has followed in it. */
  hops = 0;
  #head: RawHead | null = null;
  #noticed = Promise.withResolvers<Paused | null>();
  #sentAt = 0;
  #answeredAt = 0;

  constructor(loaderId: string, outgoing: Outgoing | null, url: string, method: string) {
    this.loaderId = loaderId;
    this.outgoing = outgoing;
    this.url = url;
    this.method = method;
  }

  /** The next request goes out now. @param url with the fragment */
  sends(url: string, method: string): void {
    this.url = url;
    this.method = method;
    this.#head = null;
    this.#noticed = Promise.withResolvers();
    this.dispose();
    this.#sentAt = performance.now();
  }

  /** `Network.responseReceivedExtraInfo`. */
  headCame(status: number, headers: Readonly<Record<string, string>>, text: string | undefined): void {
    this.#head = { status, headers: headerLines(headers, text) };
  }

  /** The answer that has come. @param told what is told of it where the network tells nothing */
  answered(status: number, told: HeaderList): Answer {
    this.#answeredAt = performance.now();
    this.ttfbMs += this.#answeredAt - this.#sentAt;
    const head = this.tapped?.head ?? this.#head;
    const headers = head !== null && head.status === status ? head.headers : told;
    const { loaderId, url, method } = this;
    return { loaderId, url: withoutCredentials(url), method, status, headers };
  }

  /** The answer was a redirect that the browser did not take for one: it tells nothing of it but that it failed. */
  leadsNowhere(): void {
    const status = (this.tapped?.head ?? this.#head)?.status ?? 0;
    if (status >= 300 && status < 400)
      this.redirects.push({ url: withoutCredentials(this.url), statusCode: status });
  }

  /** Another scraper has had the answer. */
  wasFetched({ page, redirects, requestHeaders }: FetchedPage): void {
    this.answer = this.answered(page.statusCode, page.headers);
    this.redirects.push(...redirects);
    this.requestHeaders = requestHeaders;
    this.received = page.body.length;
    this.given = page.body;
  }

  /** What the browser makes of an answer that is read elsewhere: it waits with it, or has given it up (null). */
  notices(event: Paused | null): void {
    this.#noticed.resolve(event);
  }

  get noticed(): Promise<Paused | null> {
    return this.#noticed.promise;
  }

  /** What comes of it is not whole. */
  breaks(why: Failure): void {
    this.cut ??= why;
  }

  finished(): void {
    this.downloadMs ??= performance.now() - this.#answeredAt;
  }

  dispose(): void {
    this.tapped?.dispose();
    this.tapped = null;
  }
}
