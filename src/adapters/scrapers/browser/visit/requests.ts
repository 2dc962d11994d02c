import { setTimeout as pause } from 'node:timers/promises';
import type { Failure } from '../../../../domain/failure.ts';
import type { Egress } from '../../../../egress/egress.ts';
import type { GatewayTrip, GatewayUse } from '../../../../egress/gateway/gateway.ts';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { refusalOf } from '../cdp/refusal.ts';
import type { Answer, Ending, RawAnswer } from './answer.ts';
import { type Credentials, callersPart, credentialsPart, postPart } from './first-headers.ts';
import { showGiven } from './given-document.ts';
import { locationOf } from './header-lines.ts';
import type { Journey } from './journey.ts';
import type { LinkedRequest } from './linked-request.ts';
import { Navigation } from './navigation.ts';
import { netFailure, refused } from './net-failure.ts';
import type { Outgoing } from './outgoing.ts';
import { addressOf, headersOf, isNavigation, type Paused, type PausedNavigation } from './paused.ts';
import { placeOf } from './place-of.ts';
import { isHsts, redirectStep } from './redirect-step.ts';
import { isAttached, kindOf, purposeOf } from './shown-type.ts';
import { isPage, showTaken, takeBody, unreadRedirect } from './take-body.ts';
import { TappedAnswer } from './tapped-answer.ts';

/** How long a browser may need to notice an answer that has come. */
const NOTICE_MS = 500;
const OF_CONNECTION = /^(?:connect\.|http\.protocol)/;
const LEAVES_SHOWN = new Set([204, 205]);

const isForbidden = ({ code }: Failure): boolean => code.startsWith('policy.');

/**
 * The requests of the main frame and their answers: each is judged before it is sent, the caller's get what the caller
 * adds, and of each answer it is decided whether it is followed, shown, or taken as bytes.
 */
export class Requests {
  /** Settles when there will be no document to read: a failure, or bytes. */
  readonly ended: Promise<Ending>;
  /** Of the last head that came. */
  status: number | null = null;
  /** The TLS connection was refused: nothing was sent on it. */
  refused = false;
  /** The body of an answer is being read as bytes. */
  takesBody = false;
  /** Called when the attempt's share of the time counts no more. */
  onHead: () => void = () => {};
  /**
   * While an action goes somewhere: told why that leads nowhere, and the document that is shown stays. Not of what is
   * forbidden, which ends the visit.
   */
  onLost: ((why: Failure) => void) | null = null;
  /** Of the URL that an action goes to; for that origin alone. */
  credentials: Credentials | null = null;
  /** Told the URL of a file that leaves the page shown. */
  onDownload: (url: string) => void = () => {};
  /** The page that is shown leads nowhere any more. */
  stays = false;
  readonly #end: (ending: Ending) => void;
  readonly #session: CdpSession;
  readonly #order: FetchOrder;
  readonly #use: GatewayUse;
  readonly #judge: Egress['judge'];
  readonly #journey: Journey;
  /** The document that was fetched before has been shown. */
  gaveDocument = false;
  /** What the browser says to the caller's navigation, once that is over or shown. */
  #said: Promise<{ errorText?: string; loaderId?: string }> | null = null;
  /** The caller's navigation that was asked for and has not come by yet, and what it goes on from. */
  #starting: { readonly outgoing: Outgoing; readonly from: Navigation | null } | null = null;

  /** What a window was about to send, until the page sends it. */
  #linked: LinkedRequest | null = null;

  constructor(
    session: CdpSession,
    order: FetchOrder,
    { use, judge }: { use: GatewayUse; judge: Egress['judge'] },
    journey: Journey,
  ) {
    this.#session = session;
    this.#order = order;
    this.#use = use;
    this.#judge = judge;
    this.#journey = journey;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = resolve;
  }

  /** Starts a navigation of the caller; settles when a document is shown, or cannot be. Rejects with the browser. */
  async navigate(outgoing: Outgoing, from: Navigation | null): Promise<void> {
    this.#starting = { outgoing, from };
    this.#said = this.#session.send('Page.navigate', { url: outgoing.url });
    const { errorText, loaderId } = await this.#said;
    if (errorText === undefined) return;
    const nav = loaderId === undefined ? undefined : this.#journey.find(loaderId);
    if (nav !== undefined) await this.failed(nav, errorText);
    else this.#fail(null, await this.#whyFailed(errorText, outgoing.url));
  }

  /** Sends what a window was about to send. Settles when its document is shown, or will not be. Rejects with the browser. */
  async follow(request: LinkedRequest): Promise<void> {
    const { url, referrer } = request;
    this.#linked = request;
    try {
      await this.#session.send('Page.navigate', {
        url,
        // It has been cut by the policy of the page.
        ...(referrer === null ? {} : { referrer, referrerPolicy: 'unsafeUrl' }),
        transitionType: 'link',
      });
    } finally {
      this.#linked = null;
    }
  }

  /** The browser gave the navigation up, by itself or because it was told to. */
  async failed(nav: Navigation, errorText: string): Promise<void> {
    if (nav.over) return;
    const { answer } = nav;
    const isTaken = nav.tapped?.taken === true;
    const nothing = isTaken ? /RESPONSE_CODE_FAILURE/ : /RESPONSE_CODE_FAILURE|DECODING/;
    if (answer !== null && nothing.test(errorText))
      // An error without a body, in place of which the browser shows a page of its own; or nothing that it could decode.
      this.#finish(nav, { answer, body: new Uint8Array(0), cut: nav.cut, undecoded: false });
    else if (isTaken) nav.notices(null);
    else {
      const why = await this.#whyFailed(errorText, nav.url);
      if (nav.over) return;
      this.refused = why.code === 'tls.invalid';
      if (why.code === 'redirect.invalid') nav.leadsNowhere();
      this.#fail(nav, why);
    }
  }

  /**
   * What a browser does not even ask the gateway for, it has refused by a rule of its own (a port, …): our own rules go before,
   * as they do for every other way. Never rejects.
   */
  async #whyFailed(error: string, url: string): Promise<Failure> {
    const trip = this.tripTo(url);
    const why = netFailure(error, url, trip);
    if (trip !== null || !OF_CONNECTION.test(why.code)) return why;
    const [host, port] = placeOf(url);
    const { lease, deadline } = this.#order;
    return (await this.#judge({ host, port, signal: deadline.signal, upstream: lease.upstream })) ?? why;
  }

  /** The newest connection to the host of this address. */
  tripTo(url: string): GatewayTrip | null {
    if (!URL.canParse(url)) return null;
    return this.#use.tripTo(...placeOf(url));
  }

  /** There was a connection to the host of this address: bytes may be out on it, whatever became of later ones. */
  reached(url: string): boolean {
    if (!URL.canParse(url)) return false;
    const [host, port] = placeOf(url);
    return this.#use.trips.some(
      (trip) => trip.host === host && trip.port === port && trip.connectMs !== null,
    );
  }

  /** A request of the main frame, or its answer, that waits to be let through. Never rejects. */
  async paused(event: Paused): Promise<void> {
    await this.#orFail(event, this.#onPaused(event));
  }

  async #onPaused(event: Paused): Promise<void> {
    const { responseErrorReason, responseStatusCode: status } = event;
    if (!isNavigation(event)) await this.#letThrough(event);
    else if (responseErrorReason !== undefined) await this.#onError(event, responseErrorReason);
    else if (status === undefined) await this.#onRequest(event);
    else await this.#onAnswer(event, status);
  }

  /** What the browser refuses to do with a paused request ends it: else it would be paused for ever. Never rejects. */
  async #orFail(event: Paused, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) return;
      const nav = this.#journey.find(event.networkId ?? '') ?? null;
      this.#fail(nav, refused(refusal));
      await this.#giveUp(event, 'Aborted').catch(() => {});
    }
  }

  async #onRequest(event: PausedNavigation): Promise<void> {
    const { networkId: loaderId, requestId, redirectedRequestId, request } = event;
    const { job, allowUrl } = this.#order;
    const nav = this.#journey.find(loaderId) ?? this.#begin(loaderId, event);
    const { outgoing } = nav;
    if (outgoing === null && this.stays) {
      nav.over = true;
      return await this.#giveUp(event, 'Aborted');
    }
    const post = outgoing === null && redirectedRequestId === undefined ? this.#takePost(request.url) : null;
    const callers = redirectedRequestId === undefined ? outgoing?.method : undefined;
    const method = post === null ? (callers ?? request.method) : 'POST';
    nav.sends(addressOf(event), method);
    const url = new URL(request.url);
    const refusal = allowUrl?.(url) ?? null;
    if (refusal !== null) {
      this.#fail(nav, refusal);
      await this.#giveUp(event, 'BlockedByClient');
      return;
    }
    if (await this.#givesDocument(event, nav)) return;
    if (url.protocol === 'http:') {
      const tapped = new TappedAnswer(method, this.#order, {
        purpose: (head) => purposeOf(head, this.#redirectIsResult(nav), outgoing === null),
        onTaken: () => void this.#orFail(event, this.#onTaken(nav, tapped)),
      });
      nav.tapped = tapped;
      this.#use.tap(request.url, tapped.open);
    }
    const added = () => {
      if (post !== null) return postPart(event, post);
      return outgoing === null ? credentialsPart(event, this.credentials) : callersPart(event, job, outgoing);
    };
    await this.#session.send('Fetch.continueRequest', { requestId, ...added() });
  }

  /** Of the window's request, when the page sends it. */
  #takePost(url: string): LinkedRequest['post'] {
    const linked = this.#linked;
    if (linked === null || linked.url.split('#', 1)[0] !== url) return null;
    this.#linked = null;
    return linked.post;
  }

  /** The first navigation may have been made before, by another scraper. */
  async #givesDocument({ requestId }: Paused, nav: Navigation): Promise<boolean> {
    const { document } = this.#order;
    if (document == null || this.gaveDocument || nav.outgoing?.url !== document.page.finalUrl) return false;
    this.gaveDocument = true;
    this.status = document.page.statusCode;
    nav.wasFetched(document);
    this.onHead();
    await showGiven(this.#session, requestId, document.page);
    return true;
  }

  #begin(loaderId: string, event: Paused): Navigation {
    const starting = this.#starting;
    this.#starting = null;
    const nav = new Navigation(loaderId, starting?.outgoing ?? null, addressOf(event), event.request.method);
    if (starting?.from != null) nav.redirects.push(...starting.from.redirects);
    this.#journey.begin(nav);
    return nav;
  }

  async #onAnswer(event: PausedNavigation, status: number): Promise<void> {
    const told = headersOf(event);
    const nav = this.#journey.find(event.networkId);
    if (nav === undefined || isHsts(nav, status, told)) return await this.#letThrough(event);
    if (nav.tapped?.taken === true) return nav.notices(event);
    if (nav.tapped?.head === null) nav.dispose();
    this.status = status;
    const answer = nav.answered(status, told);
    const location = locationOf(status, answer.headers);
    if (location !== null) return await this.#onRedirect(event, nav, answer, location);
    if (nav.outgoing !== null) this.onHead();
    nav.answer = answer;
    if (kindOf(status, answer.headers) === 'document') return await this.#letThrough(event);
    this.takesBody = true;
    await this.#takeBody(event, nav, answer);
  }

  /** The head of an answer has passed that is read on the way: the browser may take its time, or fail with it. */
  async #onTaken(nav: Navigation, tapped: TappedAnswer): Promise<void> {
    const { status, headers } = tapped.head!;
    // It may be shown, or have been, when it turns out that it cannot be decoded.
    const isShown = nav.answer !== null;
    if (isShown && this.#journey.newest !== nav) return;
    this.status = status;
    this.takesBody = true;
    nav.answer ??= nav.answered(status, headers);
    if (nav.outgoing !== null) this.onHead();
    await tapped.done;
    // It keeps the cookies of the answer before it tells of it.
    const event = isShown ? null : await Promise.race([nav.noticed, pause(NOTICE_MS, null, { ref: false })]);
    await this.#takeBody(event, nav, nav.answer);
  }

  #redirectIsResult({ outgoing }: Navigation): boolean {
    return outgoing !== null && !this.#order.job.allowRedirects;
  }

  async #onRedirect(event: Paused, nav: Navigation, answer: Answer, location: string): Promise<void> {
    if (this.#redirectIsResult(nav)) {
      this.onHead();
      nav.over = true;
      this.#finish(nav, unreadRedirect(answer));
      return await this.#giveUp(event, 'Aborted');
    }
    nav.redirects.push({ url: answer.url, statusCode: answer.status });
    const step = redirectStep(nav, answer, location, this.#order.job);
    if ('code' in step) {
      this.#fail(nav, step);
      return await this.#giveUp(event, 'Aborted');
    }
    if (!step.anew) {
      nav.outgoing = step.outgoing;
      nav.hops++;
      return await this.#letThrough(event);
    }
    nav.over = true;
    await this.#giveUp(event, 'Aborted');
    // While that one is being given up, browsers give up one that begins as well.
    await this.#said;
    await this.navigate(step.outgoing!, nav);
  }

  /** @param event null: the browser has given the answer up */
  async #takeBody(event: Paused | null, nav: Navigation, answer: Answer): Promise<void> {
    nav.over = true;
    const { status, headers } = answer;
    // What a page starts while it is shown, and what leaves it shown, is not what was asked for.
    if (this.#journey.shown !== null && (LEAVES_SHOWN.has(status) || isAttached(headers))) {
      this.takesBody = false;
      if (isAttached(headers)) this.onDownload(answer.url);
      if (event !== null) await this.#giveUp(event, 'Aborted');
      return;
    }
    const taken = await takeBody(this.#session, nav, answer, event?.requestId ?? null, this.#order);
    nav.finished();
    if ('code' in taken) this.#fail(nav, taken);
    else if (event !== null && taken.cut === null && isPage(taken)) {
      nav.over = false;
      this.takesBody = false;
      nav.given = taken.body;
      return await showTaken(this.#session, event.requestId, taken);
    } else this.#finish(nav, taken);
    if (event !== null) await this.#giveUp(event, 'Aborted');
  }

  /** No answer has come. Let through, it would put a page of the browser's own in place of what is shown. */
  async #onError(event: PausedNavigation, reason: string): Promise<void> {
    const nav = this.#journey.find(event.networkId);
    if (nav !== undefined && this.onLost !== null && this.#journey.shown !== null) {
      const why = await this.#whyFailed(reason, nav.url);
      return await this.#giveUp(event, this.#fail(nav, why) ? 'Aborted' : 'Failed');
    }
    await this.#letThrough(event);
  }

  /** @returns the document that is shown stays */
  #fail(nav: Navigation | null, why: Failure): boolean {
    if (nav !== null && this.onLost !== null && this.#journey.shown !== null && !isForbidden(why)) {
      nav.over = true;
      this.onLost(why);
      return true;
    }
    this.#journey.end(nav);
    this.#end({ failure: why });
    return false;
  }

  #finish(nav: Navigation, raw: RawAnswer): void {
    nav.answer = raw.answer;
    this.#journey.end(nav);
    this.#end(raw);
  }

  async #letThrough({ requestId }: Paused): Promise<void> {
    await this.#session.send('Fetch.continueRequest', { requestId });
  }

  async #giveUp({ requestId }: Paused, errorReason: 'Aborted' | 'BlockedByClient' | 'Failed'): Promise<void> {
    await this.#session.send('Fetch.failRequest', { requestId, errorReason });
  }
}
