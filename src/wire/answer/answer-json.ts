import { type MicroUnits, microToCurrency } from '../../base/numbers.ts';
import type { CapturedExchange } from '../../domain/captures.ts';
import {
  FAILURES,
  type Failure,
  type FailureSource,
  type Warning,
  type WarningCode,
} from '../../domain/failure.ts';
import type { Page, TargetCookie, UntoldMember } from '../../domain/fetch-result.ts';
import { type DownloadedFile, PDF_NUMBER } from '../../domain/files.ts';
import type { ActionResult } from '../../domain/page-action.ts';
import { SCREENSHOT_NUMBER } from '../../domain/record.ts';
import type { Attempt, Candidate, Delivery, Scrape } from '../../domain/scrape.ts';
import type { VendorUse } from '../../domain/vendors.ts';
import { senderOf } from '../../domain/verdict.ts';
import { formatDateTime } from '../date-time.ts';
import type {
  ActionResultSchema,
  AttemptSchema,
  CandidateSchema,
  CapturedExchangeSchema,
  Cookie,
  ErrorEntry,
  RouterMeta,
  ScrapeProblem,
  ScraperData,
  VendorUseSchema,
  WarningEntry,
} from './answer-schema.ts';
import { explanationOf } from './explanation.ts';
import { headersJson } from './headers-json.ts';
import { JSON_TEXT, jsonOf, membersOf, type Written } from './json-members.ts';
import { linkPlaceholder } from './signed-links.ts';

type Response = Omit<Written<typeof ScrapeProblem>, keyof ProblemMembers>;
type Router = Written<typeof RouterMeta>;
/** The members that only a problem (RFC 9457) has, not a scrape response. */
export type ProblemMembers = Pick<
  Written<typeof ScrapeProblem>,
  'type' | 'title' | 'status' | 'detail' | 'code' | 'request_id' | 'retryable'
>;
/** The members of a response before `content`. */
export type AnswerHead = Pick<Response, 'id' | 'status_code' | 'final_url' | 'headers'>;
/** The members of a response between `content_encoding` and `router`. */
export type AnswerBody = Omit<Response, keyof AnswerHead | 'content' | 'content_encoding' | 'router'>;

/**
 * A scrape response without `content` and `content_encoding`, which are stored separately, as three lines of JSON: an
 * object with the members before them, an object with the members after them, and `router`. `JSON.stringify` writes no line
 * breaks. URLs of pictures and files are placeholders, see `linkPlaceholder`.
 * @param options.contentKept false: without the response headers and everything taken from the content (`retain: metadata`)
 */
export function answerJson(scrape: Scrape, { contentKept = true }: { contentKept?: boolean } = {}): string {
  const { delivered } = scrape;
  const page = delivered?.page ?? null;
  const head = jsonOf<AnswerHead>(
    {
      id: scrape.id,
      status_code: toldOrNull(page, 'status_code', page?.statusCode),
      final_url: toldOrNull(page, 'final_url', page?.finalUrl),
      headers: JSON_TEXT,
    },
    { headers: headersJson(contentKept && page !== null ? page.headers : null, 'shown') },
  );
  const body = jsonOf<AnswerBody>(
    {
      cookies: page?.cookies.map(cookieOf) ?? [],
      errors: errorEntries(scrape.errors, scrape.sentOnce),
      screenshot_url: contentKept ? linkPlaceholder(scrape, 'picture', SCREENSHOT_NUMBER) : null,
      scraper_data: JSON_TEXT,
    },
    { scraper_data: delivered === null ? '{}' : scraperDataJson(scrape, delivered, contentKept) },
  );
  return [head, body, routerJson(scrape)].join('\n');
}

/** The value of a member, unless the page has only an assumed one. */
export const toldOrNull = <T>(page: Page | null, member: UntoldMember, value: T | undefined): T | null =>
  page?.notTold?.includes(member) ? null : (value ?? null);

/** How `router` begins if the request did not want the content back. */
const NOT_RETURNED = '{"content_returned":false,';

/** Whether the request wanted the content back. @param answerJson null: nothing was kept */
export const returnsContent = (answerJson: string | null): boolean =>
  answerJson === null || !answerParts(answerJson).router.startsWith(NOT_RETURNED);

/** The lines of `answerJson`. Each is the JSON text of an object. */
export interface AnswerParts {
  readonly head: string;
  readonly body: string;
  readonly router: string;
}

export function answerParts(answerJson: string): AnswerParts {
  const [head, body, router] = answerJson.split('\n');
  return body === undefined || router === undefined
    ? partsOfOneObject(answerJson)
    : { head: head!, body, router };
}

/** Records of early builds of 0.1.0 have one object with all members. */
function partsOfOneObject(json: string): AnswerParts {
  const { id, status_code, final_url, headers, content_encoding: _, router, ...body } = JSON.parse(json);
  return {
    head: JSON.stringify({ id, status_code, final_url, headers }),
    body: JSON.stringify(body),
    router: JSON.stringify(router),
  };
}

/** The JSON text of a response before and after the value of `content`, which is written separately because it may be large. */
export interface JsonAroundContent {
  /** Ends with `"content":`. */
  readonly before: string;
  readonly after: string;
}

/** @param problem the JSON text of an object with the members of a problem; null: the response is not a problem */
export function jsonAroundContent(
  { head, body, router }: AnswerParts,
  contentEncoding: Response['content_encoding'],
  problem: string | null = null,
): JsonAroundContent {
  const first = problem === null ? '' : `${membersOf(problem)},`;
  return {
    before: `{${first}${membersOf(head)},"content":`,
    after: `,"content_encoding":${JSON.stringify(contentEncoding)},${membersOf(body)},"router":${router}}`,
  };
}

const cookieOf = (cookie: TargetCookie): Written<typeof Cookie> => ({
  name: cookie.name,
  value: cookie.value,
  domain: cookie.domain,
  path: cookie.path,
  expires: cookie.expires,
  secure: cookie.secure,
  http_only: cookie.httpOnly,
  same_site: cookie.sameSite,
});

/** @param sentOnce see `Scrape.sentOnce`: no error is reported as retryable */
export function errorEntries(errors: readonly Failure[], sentOnce = false): Written<typeof ErrorEntry>[] {
  return errors.map(({ code, message, attempt, scraper, pointer, line, details }) => {
    const { source, retryable } = FAILURES[code];
    return {
      code,
      message,
      level: 'error',
      source,
      retryable: retryable && !sentOnce,
      attempt,
      scraper,
      pointer,
      line,
      details,
    };
  });
}

/** The `source` of each warning. That of errors is in the table of failures. */
export const WARNING_SOURCES: Readonly<Record<WarningCode, FailureSource>> = {
  'proxy.direct': 'proxy',
  'vendor.not_told': 'vendor',
  'vendor.key_masked': 'vendor',
  'data.on_get': 'request',
  'wait.networkidle_timeout': 'browser',
  'screenshot.clamped': 'browser',
  'egress.blocked': 'service',
  'egress.remote': 'service',
  'content.gzip': 'target',
  'content.more': 'request',
  'content.refetched': 'service',
  'content.truncated': 'target',
  'charset.replaced': 'target',
  'document.no_text': 'target',
  'extract.drift': 'extract',
  'extract.ungrounded': 'extract',
  'document.truncated': 'target',
  'document.hidden': 'target',
  'page.js_shell': 'target',
  'frames.unread': 'target',
  'json_ld.unread': 'target',
  'page.empty': 'target',
  'page.opened': 'browser',
  'page.download': 'browser',
  'robots.disallowed': 'target',
  'profile.conflict': 'request',
  'profile.not_saved': 'service',
};

export const warningEntry = ({ code, message, pointer, details }: Warning): Written<typeof WarningEntry> => ({
  code,
  message,
  level: 'warning',
  source: WARNING_SOURCES[code],
  retryable: false,
  pointer,
  details,
});

const vendorJson = ({
  name,
  kind,
  requestId,
  credits,
  costSource,
}: VendorUse): Written<typeof VendorUseSchema> => ({
  name,
  kind,
  request_id: requestId,
  credits,
  cost_source: costSource,
});

function scraperDataJson(
  scrape: Scrape,
  { charset, data, page, vendor }: Delivery,
  contentKept: boolean,
): string {
  const { network, actions, downloads } = page;
  const members: Record<string, typeof JSON_TEXT> = {};
  const texts: Record<string, string> = {};
  const add = (name: string, json: string) => {
    members[name] = JSON_TEXT;
    texts[name] = json;
  };
  if (contentKept) for (const [name, json] of data) add(name, json);
  const { template } = scrape.task;
  if (template !== null) add('extract_template', JSON.stringify(template));
  if (contentKept && scrape.task.options.pdf !== null) add('pdf', JSON.stringify(pdfOf(scrape)));
  if (contentKept && downloads !== undefined)
    add('downloads', JSON.stringify(downloads.map((file, index) => downloadOf(scrape, file, index))));
  if (contentKept && network !== undefined) add('network', `[${network.map(exchangeJson).join(',')}]`);
  if (vendor !== undefined) add('vendor', JSON.stringify(vendorJson(vendor)));
  if (actions !== undefined) add('actions', `[${actionResults(scrape, actions, contentKept).join(',')}]`);
  return jsonOf<Written<typeof ScraperData>>({ charset: charset ?? undefined, ...members }, texts);
}

type FilesData = Written<typeof ScraperData>;

/** null: the page could not be printed. */
function pdfOf(scrape: Scrape): NonNullable<FilesData['pdf']> | null {
  const { pdf } = scrape.delivered!.page;
  if (pdf === undefined) return null;
  return { url: linkPlaceholder(scrape, 'file', PDF_NUMBER), bytes: pdf.bytes.length, pages: pdf.pages };
}

const downloadOf = (
  scrape: Scrape,
  { name, type, bytes, from }: DownloadedFile,
  index: number,
): NonNullable<FilesData['downloads']>[number] => ({
  url: linkPlaceholder(scrape, 'file', PDF_NUMBER + 1 + index),
  name,
  type,
  bytes: bytes.length,
  from,
});

/** Credentials in the request headers are masked, as in `router.request_headers`. */
function exchangeJson({ body, ...exchange }: CapturedExchange): string {
  const bytes = body?.bytes ?? null;
  return jsonOf<Written<typeof CapturedExchangeSchema>>(
    {
      url: exchange.url,
      method: exchange.method,
      status: exchange.status,
      resource_type: exchange.resourceType,
      request_headers: JSON_TEXT,
      headers: JSON_TEXT,
      body: bytes === null ? (body?.text ?? null) : Buffer.from(bytes).toString('base64'),
      body_encoding: body === null ? null : bytes === null ? 'utf-8' : 'base64',
      truncated: exchange.truncated,
      // Absent if nothing was measured: of `wait_for_response`.
      ...(exchange.startedMs !== null && {
        started_ms: exchange.startedMs,
        duration_ms: exchange.durationMs,
      }),
    },
    {
      request_headers: headersJson(exchange.requestHeaders, 'masked'),
      headers: headersJson(exchange.headers, 'shown'),
    },
  );
}

/** @param contentKept false: without the results of the actions, because they are content */
function actionResults(scrape: Scrape, actions: readonly ActionResult[], contentKept: boolean): string[] {
  // `screenshot` actions have the numbers after that of the page screenshot.
  let pictureNumber = SCREENSHOT_NUMBER;
  return actions.map((action) => {
    if (action.screenshot !== undefined) pictureNumber++;
    return jsonOf<Written<typeof ActionResultSchema>>(
      {
        index: action.index,
        id: action.id,
        type: action.type,
        status: action.status,
        duration_ms: Math.round(action.durationMs),
        result: contentKept ? actionResult(scrape, action, pictureNumber) : undefined,
        error: action.error,
      },
      { result: contentKept && action.exchange !== undefined ? exchangeJson(action.exchange) : undefined },
    );
  });
}

function actionResult(scrape: Scrape, action: ActionResult, pictureNumber: number): unknown {
  const { result, exchange, screenshot } = action;
  if (exchange !== undefined) return JSON_TEXT;
  if (screenshot === undefined) return result;
  const { name, width, height, type } = screenshot;
  return { name, url: linkPlaceholder(scrape, 'picture', pictureNumber), width, height, type };
}

/** `content_returned` is first: see `returnsContent`. Lists that may be frozen are copied, because a single frozen list makes `JSON.stringify` three times as slow. */
function routerJson(scrape: Scrape): string {
  /** The only members with `router.trace: false`. */
  const basicMembers = {
    content_returned: scrape.task.options.returnContent ? undefined : false,
    scraper: scrape.scraper,
    request_headers: JSON_TEXT,
    request_cost: currencyOrNull(scrape.cost),
    proxy_type: scrape.proxyType,
    direct: scrape.direct,
    outcome: scrape.outcome,
    warnings: scrape.warnings.map(warningEntry),
  };
  const texts = { request_headers: headersJson(scrape.requestHeaders, 'masked') };
  if (!scrape.task.router.trace) return jsonOf<Router>(basicMembers, texts);
  return jsonOf<Required<Omit<Router, 'content_returned'>> & Pick<Router, 'content_returned'>>(
    {
      ...basicMembers,
      requested_scraper: scrape.task.scraper,
      started_at: formatDateTime(scrape.startedAt),
      attempts: scrape.attempts.map(attemptOf),
      candidates: scrape.candidates.map(candidateOf),
      stopped: scrape.stopped,
      explanation: explanationOf(scrape),
      verdict: verdictOf(scrape),
      cost_unit: scrape.costUnit,
      cost_details: costDetails(scrape),
      model: modelUseJson(scrape.model),
      robots: robotsOf(scrape),
      cache: { hit: false, age_ms: null },
      timing: timingOf(scrape),
      redirects: scrape.redirects.map(({ url, statusCode }) => ({ url, status_code: statusCode })),
      remote_ip: scrape.remoteIp,
      body_type: scrape.task.body?.type ?? null,
    },
    texts,
  );
}

const attemptOf = (attempt: Attempt): Written<typeof AttemptSchema> => ({
  n: attempt.n,
  scraper: attempt.scraper,
  proxy_type: attempt.proxyType,
  direct: attempt.direct,
  country: attempt.country,
  outcome: attempt.outcome,
  verdict: attempt.verdict?.kind ?? null,
  status_code: attempt.statusCode,
  error_code: attempt.failure?.code ?? null,
  duration_ms: Math.round(attempt.durationMs),
  bytes_out: attempt.bytesOut,
  bytes_in: attempt.bytesIn,
  cost: currencyOrNull(attempt.cost),
  reason: attempt.reason,
  reused: [...attempt.reused],
});

export const candidateOf = (candidate: Candidate): Written<typeof CandidateSchema> => ({
  scraper: candidate.scraper,
  proxy_type: candidate.proxyType,
  est_cost: candidate.estCost,
  est_success: candidate.estSuccess,
  est_ms: candidate.estMs,
  ...(candidate.estWaitMs !== undefined && { est_wait_ms: candidate.estWaitMs }),
  selected: candidate.selected,
  excluded_by: candidate.excludedBy,
});

function verdictOf({ verdict }: Scrape): Router['verdict'] {
  return verdict === null
    ? null
    : {
        kind: verdict.kind,
        confidence: verdict.confidence,
        signals: [...verdict.signals],
        by: senderOf(verdict),
      };
}

/** Empty if `request_cost` is unknown. */
export function costDetails({
  cost,
  attempts,
  model,
}: Pick<Scrape, 'cost' | 'attempts' | 'model'>): Required<Router>['cost_details'] {
  if (cost === null) return [];
  const ofAttempts = attempts.flatMap(({ n, scraper, proxyType, costItems }) =>
    costItems.map((item) => ({
      attempt: n,
      item: item.item,
      name: item.item === 'scraper' || item.item === 'vendor' ? scraper : proxyType,
      quantity: item.quantity,
      unit_price: microToCurrency(item.unitPrice),
      cost: microToCurrency(item.cost),
    })),
  );
  const ofModel = (model?.costItems ?? []).map((item) => ({
    attempt: null,
    item: item.item,
    name: model!.name,
    quantity: item.quantity,
    unit_price: microToCurrency(item.unitPrice),
    cost: microToCurrency(item.cost),
  }));
  return [...ofAttempts, ...ofModel];
}

export function modelUseJson(model: Scrape['model']) {
  if (model === null) return null;
  const { name, calls, tokensIn, tokensOut, cost } = model;
  return { name, calls, tokens_in: tokensIn, tokens_out: tokensOut, cost: currencyOrNull(cost) };
}

function robotsOf({ robots }: Scrape): Router['robots'] {
  if (robots === null) return null;
  const { mode, url, agent, allowed, rule, statusCode } = robots;
  return { mode, url, agent, allowed, rule, status_code: statusCode };
}

/** Rounded to whole milliseconds. */
function timingOf({ timing }: Scrape): Required<Router>['timing'] {
  const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
  return {
    queue: rounded(timing.queue),
    pause: rounded(timing.pause),
    dns: rounded(timing.dns),
    connect: rounded(timing.connect),
    tls: rounded(timing.tls),
    ttfb: rounded(timing.ttfb),
    download: rounded(timing.download),
    load: rounded(timing.load),
    wait: rounded(timing.wait),
    actions: rounded(timing.actions),
    read: rounded(timing.read),
    total: rounded(timing.total),
  };
}

const currencyOrNull = (micro: MicroUnits | null): number | null =>
  micro === null ? null : microToCurrency(micro);
