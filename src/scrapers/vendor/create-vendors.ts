import { createHash } from 'node:crypto';
import type { MicroUnits } from '../../base/numbers.ts';
import type { Clock, Deadline } from '../../base/time.ts';
import { portOf } from '../../base/url-patterns.ts';
import { sleep } from '../../base/wait.ts';
import { imageSize } from '../../content/charset/image-size.ts';
import type { Screenshot } from '../../domain/captures.ts';
import { type Failure, failure, isFailure, WARNINGS, type Warning } from '../../domain/failure.ts';
import {
  type FetchFailure,
  type FetchResult,
  NO_TIMING,
  type Page,
  type UntoldMember,
} from '../../domain/fetch-result.ts';
import { type ScraperName, vendorScraper } from '../../domain/scrapers.ts';
import type { ProxyType, Task } from '../../domain/task.ts';
import type {
  CostSource,
  VendorCallFacts,
  VendorFacts,
  VendorOutage,
  VendorPayment,
  VendorReason,
  VendorSettings,
  VendorUse,
} from '../../domain/vendors.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Coordination, Holding } from '../../ports/coordination.ts';
import type { FetchRequest, Scraper } from '../../ports/scraper.ts';
import { KeyMask, type MaskedMember } from './key-mask.ts';
import { KINDS } from './kinds.ts';
import { type Rest, VendorAccount } from './vendor-account.ts';
import { callVendor } from './vendor-client.ts';
import type { VendorAnswer, VendorCall, VendorPage, VendorTrouble } from './vendor-kind.ts';

export interface VendorsDeps {
  readonly egress: Pick<Egress, 'checkTarget'>;
  readonly coordination: Pick<Coordination, 'limits' | 'counters' | 'bus'>;
  /** The price of one unit of effort. */
  readonly unitPrice: () => MicroUnits;
  readonly clock: Clock;
  readonly onCall: (call: VendorCallFacts) => void;
}

/** The scrapers of vendors, by the file of the operator. */
export interface Vendors {
  get(name: ScraperName): Scraper | undefined;
  list(): readonly VendorFacts[];
  /** Puts the settings of a changed file in force. */
  replace(settings: readonly VendorSettings[]): void;
  /** Is told when they were replaced. */
  onReplaced: (() => void) | null;
  close(): void;
}

/** What replicas tell each other. One that missed it learns from the vendor itself. */
interface RestMessage {
  /** `Vendor.id` */
  readonly id: string;
  /** null: it works again. */
  readonly rest: Rest | null;
}
const CHANNEL = 'vendor_rest';

export function createVendors(deps: VendorsDeps, settings: readonly VendorSettings[]): Vendors {
  const { bus } = deps.coordination;
  const publish = (id: string, rest: Rest | null) =>
    bus.publish(CHANNEL, JSON.stringify({ id, rest } satisfies RestMessage));
  let vendors: ReadonlyMap<ScraperName, Vendor> = new Map();
  /** One whose settings are the same stays, with what is known of it. */
  const vendorOf = (one: VendorSettings): Vendor => {
    const before = vendors.get(vendorScraper(one.name));
    const vendor = new Vendor(one, { ...deps, onRest: publish });
    return before?.id === vendor.id ? before : vendor;
  };
  const vendorsOf = (list: readonly VendorSettings[]) =>
    new Map<ScraperName, Vendor>(list.map((one) => [vendorScraper(one.name), vendorOf(one)]));
  vendors = vendorsOf(settings);
  const close = bus.subscribe(CHANNEL, (message) => {
    const { id, rest } = JSON.parse(message) as RestMessage;
    for (const vendor of vendors.values()) if (vendor.id === id) vendor.rest(rest);
  });
  return {
    close,
    get: (name) => vendors.get(name),
    list: () => [...vendors.values()],
    onReplaced: null,
    replace(list) {
      vendors = vendorsOf(list);
      this.onReplaced?.();
    },
  };
}

const DAY_MS = 86_400_000;
/** Units of effort of a page by a vendor without a price. */
const USUAL_UNITS = 40;
/** Of a page, of most vendors, with scripts. */
const USUAL_CREDITS = 5;
const MIN_UNITS = 0.1;
const PLACE_WAIT_MS = 100;
const CAP = { trouble: 'credits', message: 'has cost what may be spent on it in a day (UTC)' } as const;

interface VendorDeps extends VendorsDeps {
  /** Tells the other replicas. */
  readonly onRest: (id: string, rest: Rest | null) => void;
}

class Vendor implements Scraper, VendorFacts {
  /** The same on all replicas with the same settings. With another key, or at another address, a vendor may work. */
  readonly id: string;
  readonly name;
  readonly scraper;
  readonly auto;
  readonly isSluice;
  readonly proxyTypes;
  readonly capabilities;
  readonly effort;
  readonly usualPrice;
  readonly paidBy;
  readonly #settings: VendorSettings;
  readonly #deps: VendorDeps;
  readonly #mask: KeyMask;
  readonly #account: VendorAccount;
  /** The day (UTC) on which the cap was reached. */
  #spentOn = -1;

  constructor(settings: VendorSettings, deps: VendorDeps) {
    this.id = hashOf(JSON.stringify(settings));
    this.name = this.scraper = vendorScraper(settings.name);
    this.auto = settings.auto;
    this.isSluice = settings.kind === 'sluice';
    this.proxyTypes = settings.proxyTypes;
    this.capabilities = KINDS[settings.kind].capabilities(settings);
    this.#settings = settings;
    this.#deps = deps;
    this.#mask = new KeyMask(settings.key);
    this.#account = new VendorAccount(deps.clock, settings.concurrency, (rest) => deps.onRest(this.id, rest));
    // What was spent before a restart, so that `auto` leaves the vendor out from its first scrape on.
    void this.#reachedCap().catch(() => {});
    const { perRequest, perSuccess, perCredit } = settings.price;
    this.usualPrice = perRequest ?? perSuccess;
    this.paidBy = paymentOf(settings.price);
    const usual = this.usualPrice ?? (perCredit === null ? null : perCredit * USUAL_CREDITS);
    this.effort = usual === null ? USUAL_UNITS : Math.max(MIN_UNITS, usual / deps.unitPrice());
  }

  price(task: Task, proxyType: ProxyType): MicroUnits | null {
    const { price, kind } = this.#settings;
    if (price.perCredit === null) return price.perRequest ?? price.perSuccess;
    const credits = KINDS[kind].maxCredits(task, proxyType, this.#settings);
    return credits === null ? null : Math.ceil(credits * price.perCredit);
  }

  resting(): VendorReason | null {
    return this.#account.resting();
  }

  outage(): VendorOutage | null {
    return this.#account.outage();
  }

  seconds(): number {
    return this.#account.seconds();
  }

  waitSeconds(): number {
    return this.#account.waitSeconds();
  }

  isUsed(): boolean {
    return this.#account.present() > 0;
  }

  /** Leaves the vendor alone for some time. @param rest null: no longer */
  rest(rest: Rest | null): void {
    this.#account.rest(rest);
  }

  isSpent(): boolean {
    return this.#spentOn === this.#today();
  }

  #today(): number {
    return Math.floor(this.#deps.clock.now() / DAY_MS);
  }

  async fetch(request: FetchRequest): Promise<FetchResult> {
    const { task, deadline, allowUrl } = request;
    const url = new URL(task.url);
    const limit = request.attemptDeadline ?? deadline;
    const signal = AbortSignal.any([deadline.signal, limit.signal]);
    const refused = allowUrl?.(url) ?? (await this.#refusal(url, signal));
    if (refused !== null) return this.#failed(refused, null, { sent: false });
    if (await this.#reachedCap()) return this.#failed(this.#failure(CAP), null, { sent: false });
    this.#account.enter();
    let place: Holding | null = null;
    try {
      const taken = await this.#takePlace(signal);
      if (taken === 'late') return this.#failed(this.#late(deadline, limit), null, { sent: false });
      place = taken;
      return await this.#call(request, limit, signal);
    } finally {
      place?.release();
      this.#account.leave();
    }
  }

  async close(): Promise<void> {}

  get #counters() {
    return this.#deps.coordination.counters;
  }

  #counterOf(day: number): string {
    return `vendor:${this.#settings.name}:${day}`;
  }

  /** Whether all replicas together have spent the daily cap. */
  async #reachedCap(): Promise<boolean> {
    const { dailyCap } = this.#settings;
    if (dailyCap === null || this.isSpent()) return dailyCap !== null;
    const day = this.#today();
    if ((await this.#counters.total(this.#counterOf(day))) < dailyCap) return false;
    this.#spentOn = day;
    return true;
  }

  /** Why no page of this URL may be fetched or delivered. */
  #refusal(url: URL, signal: AbortSignal): Promise<Failure | null> {
    return this.#deps.egress.checkTarget({ host: url.hostname, port: portOf(url), signal });
  }

  /** null: there is no limit. */
  async #takePlace(signal: AbortSignal): Promise<Holding | null | 'late'> {
    const { concurrency, name } = this.#settings;
    if (concurrency === null) return null;
    for (;;) {
      const claim = { name: `vendor:${name}`, limit: concurrency };
      const place = await this.#deps.coordination.limits.take([claim]);
      if (place !== null) return place;
      if (!(await sleep(PLACE_WAIT_MS, signal))) return 'late';
    }
  }

  async #call(request: FetchRequest, limit: Deadline, signal: AbortSignal): Promise<FetchResult> {
    const { task, lease, userId, deadline, reservation } = request;
    const settings = this.#settings;
    const kind = KINDS[settings.kind];
    const call: VendorCall = {
      task,
      proxyType: lease.proxyType,
      settings,
      timeoutMs: Math.floor(limit.remaining()),
      session: task.proxy.session === null ? null : sessionName(userId, task.proxy.session),
    };
    const { clock, onCall } = this.#deps;
    const began = clock.monotonic();
    const reply = await callVendor(settings.baseUrl, kind.build(call), { signal, reservation, clock });
    const ms = clock.monotonic() - began;
    const late = signal.aborted ? this.#late(deadline, limit) : null;
    const [answer, maskedMembers] = this.#mask.answer('trouble' in reply ? reply : kind.read(reply, call));
    const use = await this.#charge(answer, call);
    const lateResult = late?.code === 'request.cancelled' ? 'cancelled' : 'timeout';
    const result = late === null ? (answer.trouble ?? 'ok') : lateResult;
    onCall({ vendor: settings.name, result, ms, cost: use.cost, credits: use.credits });
    if (late !== null) {
      const vendorFailed =
        result === 'timeout' && this.#noteTrouble({ trouble: 'timeout', retryAfterMs: null }, call);
      return this.#failed(late, use, { sent: true, vendorFailed });
    }
    if (answer.trouble !== null) {
      const vendorFailed = this.#noteTrouble(answer, call);
      const { statusCode } = answer;
      return this.#failed(this.#failure(answer), use, { sent: true, statusCode, vendorFailed });
    }
    this.#account.notePage(ms / 1000);
    const page = await this.#page(answer, use, request, signal);
    if (maskedMembers.length === 0) return page;
    return { ...page, warnings: [...page.warnings, maskedWarning(maskedMembers)] };
  }

  async #page(
    answer: VendorPage,
    use: VendorUse,
    { task, allowUrl, reservation }: FetchRequest,
    signal: AbortSignal,
  ): Promise<FetchResult> {
    const finalUrl = answer.finalUrl === null ? null : URL.parse(answer.finalUrl);
    const target = finalUrl ?? new URL(task.url);
    if (target.protocol !== 'http:' && target.protocol !== 'https:')
      return this.#failed(this.#failure(protocolTrouble('a final URL that is not HTTP')), use, {
        sent: true,
      });
    const refused =
      finalUrl === null ? null : (allowUrl?.(finalUrl) ?? (await this.#refusal(finalUrl, signal)));
    // A name that does not resolve here may resolve at the vendor.
    if (refused?.code.startsWith('policy.')) return this.#failed(refused, use, { sent: true });
    const { maxContentBytes } = task.options;
    const isCut = answer.body.length > maxContentBytes;
    const screenshot = this.#screenshot(answer, task);
    const notTold = untold(answer);
    const page: Page = {
      statusCode: answer.statusCode ?? 200,
      headers: answer.headers ?? (answer.contentType == null ? [] : [['content-type', answer.contentType]]),
      finalUrl: finalUrl?.href ?? task.url,
      method: task.method,
      body: isCut ? answer.body.subarray(0, maxContentBytes) : answer.body,
      cut: isCut ? failure('content.truncated', `The content was cut at ${maxContentBytes} bytes.`) : null,
      undecoded: false,
      cookies: answer.cookies ?? [],
      scripted: answer.isRendered,
      ...(notTold.length > 0 && { notTold }),
      ...typeOverride(answer),
      ...(screenshot !== null && (isFailure(screenshot) ? { missingParts: [screenshot] } : { screenshot })),
    };
    reservation.shrink(answer.body.length, answer.body.length);
    return {
      ...factsOf(use, { sent: true }),
      redirects: answer.redirects,
      warnings: notTold.length === 0 ? [] : [untoldWarning(notTold)],
      bytesIn: answer.body.length,
      page,
      failure: null,
    };
  }

  #screenshot({ screenshot }: VendorPage, task: Task): Screenshot | Failure | null {
    if (!task.browser.screenshot) return null;
    const type = screenshot?.[0] === 0xff ? 'image/jpeg' : 'image/png';
    const size = screenshot === null ? null : imageSize(screenshot, type);
    if (screenshot !== null && size !== null) return { bytes: screenshot, type, ...size };
    return failure('screenshot.failed', `The vendor ${this.#settings.name} sent no screenshot.`);
  }

  /** Counts what the answer costs. */
  async #charge(answer: VendorAnswer, { task, proxyType }: VendorCall): Promise<VendorUse> {
    const { name, kind, dailyCap } = this.#settings;
    const [cost, costSource] = this.#cost(answer, task, proxyType);
    if (dailyCap !== null && cost !== null && cost > 0) {
      const day = this.#today();
      const expiresAt = (day + 2) * DAY_MS;
      const change = { amount: cost, limit: null, expiresAt };
      // The page is paid for, so it is delivered even if the storage fails at this moment.
      const total = await Promise.resolve(this.#counters.add(this.#counterOf(day), change)).catch(() => null);
      if (total !== null && total >= dailyCap) this.#spentOn = day;
    }
    const effort = cost === null ? null : cost / this.#deps.unitPrice();
    return { name, kind, requestId: answer.requestId, credits: answer.credits, cost, costSource, effort };
  }

  #cost(answer: VendorAnswer, task: Task, proxyType: ProxyType): readonly [MicroUnits | null, CostSource] {
    const { perRequest, perSuccess, perCredit } = this.#settings.price;
    const { credits, isCharged } = answer;
    if (perCredit !== null && credits !== null) return [Math.ceil(credits * perCredit), 'reported'];
    if (perRequest !== null) return [perRequest, 'estimated'];
    if (!isCharged && (perSuccess ?? perCredit) !== null) return [0, 'estimated'];
    if (perSuccess !== null) return [perSuccess, 'estimated'];
    const most = this.price(task, proxyType);
    return most === null ? [null, 'unknown'] : [most, 'estimated'];
  }

  /** @returns whether the vendor itself does not work */
  #noteTrouble(
    { trouble: reason, retryAfterMs }: Pick<VendorTrouble, 'trouble' | 'retryAfterMs'>,
    { timeoutMs }: VendorCall,
  ): boolean {
    return reason === 'timeout' && retryAfterMs === null
      ? this.#account.noteLate(timeoutMs / 1000)
      : this.#account.noteTrouble(reason, retryAfterMs);
  }

  #failure({ trouble: reason, message }: Pick<VendorTrouble, 'trouble' | 'message'>): Failure {
    const text = `The vendor ${this.#settings.name} ${this.#mask.message(message)}.`;
    return failure('vendor.failed', text, { details: { reason } });
  }

  #late({ signal }: Deadline, limit: Deadline): Failure {
    if (!limit.expired() && signal.aborted) return failure('request.cancelled', 'The client disconnected.');
    return this.#failure({ trouble: 'timeout', message: 'did not answer in time' });
  }

  #failed(
    cause: Failure,
    use: VendorUse | null,
    {
      sent,
      statusCode = null,
      vendorFailed = false,
    }: { readonly sent: boolean; readonly statusCode?: number | null; readonly vendorFailed?: boolean },
  ): FetchFailure {
    return {
      ...factsOf(use, { sent }),
      ...(vendorFailed && { vendorFailed }),
      page: null,
      failure: cause,
      statusCode,
    };
  }
}

function paymentOf({ perRequest, perSuccess }: VendorSettings['price']): VendorPayment {
  if (perRequest !== null) return 'request';
  return perSuccess !== null ? 'success' : 'credits';
}

/** The type of a body whose characters are not as its headers say. */
function typeOverride({ isRendered, isDecoded, headers }: VendorPage): Pick<Page, 'contentTypeOverride'> {
  if (isRendered) return { contentTypeOverride: 'text/html; charset=utf-8' };
  if (isDecoded !== true) return {};
  const type = headers?.find(([name]) => name === 'content-type')?.[1] ?? 'text/html';
  return { contentTypeOverride: `${type.replace(/;.*$/s, '')}; charset=utf-8` };
}

const factsOf = (use: VendorUse | null, { sent }: { readonly sent: boolean }) => ({
  redirects: [],
  requestHeaders: null,
  remoteIp: null,
  timing: NO_TIMING,
  sent,
  warnings: [],
  bytesOut: 0,
  bytesIn: 0,
  ...(use !== null && { vendor: use }),
});

const protocolTrouble = (what: string) => ({
  trouble: 'protocol' as const,
  message: `answered with ${what}`,
});

function untold({ statusCode, headers, cookies, finalUrl }: VendorPage): readonly UntoldMember[] {
  const told: readonly (readonly [UntoldMember, unknown])[] = [
    ['status_code', statusCode],
    ['headers', headers],
    ['cookies', cookies],
    ['final_url', finalUrl],
  ];
  return told.filter(([, value]) => value === null).map(([name]) => name);
}

const untoldWarning = (members: readonly UntoldMember[]): Warning => ({
  code: 'vendor.not_told',
  message: WARNINGS['vendor.not_told'],
  details: { members },
});

const maskedWarning = (members: readonly MaskedMember[]): Warning => ({
  code: 'vendor.key_masked',
  message: WARNINGS['vendor.key_masked'],
  details: { members },
});

/** Sessions of two users are never the same at the vendor. */
const sessionName = (userId: string, session: string): string => hashOf(`${userId}\n${session}`);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
