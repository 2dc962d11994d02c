import type { FastifyReply } from 'fastify';
import type { QueryReply } from '../../wire/import/scrapingbee-draft.ts';
import { withTheirTables } from '../../wire/import/scrapingbee-rules.ts';
import { headerValueProblem, isHeaderName } from '../../wire/request/headers.ts';
import type { DialectDeps } from '../dialect.ts';
import { contentOf, type ScrapedPage, screenshotOf } from '../scrape-call.ts';

/** What is sent, and its media type. */
interface Body {
  readonly bytes: Buffer;
  readonly type: string;
}

/** The part that was asked for could not be made. */
export interface Missing {
  readonly missing: string;
}

const json = (value: unknown): Body => ({
  bytes: Buffer.from(JSON.stringify(value)),
  type: 'application/json',
});

/** The body of a reply to a page. */
export async function bodyOf(
  deps: DialectDeps,
  page: ScrapedPage,
  options: QueryReply,
): Promise<Body | Missing> {
  const screenshot = page.screenshot_url === null ? null : await screenshotOf(deps, page);
  if (options.json) return jsonBody(page, options, screenshot);
  return options.body === 'screenshot'
    ? screenshot === null
      ? { missing: 'There is no screenshot: the target is not a page.' }
      : { bytes: screenshot, type: 'image/png' }
    : pageBody(page, options);
}

function pageBody(page: ScrapedPage, { body, rules }: QueryReply): Body | Missing {
  const { scraper_data: data } = page;
  if (body === 'extract') return json(withTheirTables(data.extract ?? {}, rules ?? {}));
  if (body === 'markdown' || body === 'text') {
    const text = data[body];
    return typeof text === 'string'
      ? { bytes: Buffer.from(text), type: `text/${body === 'text' ? 'plain' : body}; charset=utf-8` }
      : { missing: `The page cannot be read as ${body}.` };
  }
  // Without a browser, the content is the source.
  const isSource = body === 'source' && page.scraper_data.network !== undefined;
  const bytes = isSource ? sourceOf(page) : contentOf(page);
  if (bytes === null) return { missing: 'The source of the page could not be captured.' };
  const type = page.headers['content-type'] ?? 'application/octet-stream';
  // Text is sent as UTF-8, whatever it was.
  return {
    bytes,
    type: page.content_encoding === 'utf-8' ? `${type.split(';')[0]!.trim()}; charset=utf-8` : type,
  };
}

interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly status: number | null;
  readonly resource_type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_encoding: string | null;
  readonly truncated: boolean;
}

const exchangesOf = ({ scraper_data: data }: ScrapedPage): readonly Exchange[] =>
  (data.network as readonly Exchange[] | undefined) ?? [];

/** The document as the target sent it, of a browser; null: it was not captured whole. */
function sourceOf(page: ScrapedPage): Buffer | null {
  const shown = page.final_url?.replace(/#.*$/s, '');
  const document = exchangesOf(page).findLast(
    ({ url, resource_type: type, body }) =>
      type === 'document' && body !== null && url.replace(/#.*$/s, '') === shown,
  );
  if (document === undefined || document.truncated) return null;
  return Buffer.from(document.body!, document.body_encoding === 'base64' ? 'base64' : 'utf8');
}

function jsonBody(page: ScrapedPage, options: QueryReply, screenshot: Buffer | null): Body | Missing {
  const body = pageBody(page, options.body === 'screenshot' ? { ...options, body: 'page' } : options);
  if ('missing' in body) return body;
  const isJson = /^application\/json\b/.test(body.type);
  const isText = options.body !== 'page' || page.content_encoding === 'utf-8';
  const actions = (page.scraper_data.actions as readonly ActionEntry[] | undefined) ?? [];
  return json({
    headers: page.headers,
    cost: page.router.request_cost,
    'initial-status-code': initialStatus(page),
    'resolved-url': page.final_url,
    type: isJson ? 'json' : isText ? 'html' : 'b64_bytes',
    body: isJson ? parsed(body.bytes) : body.bytes.toString(isText ? 'utf8' : 'base64'),
    cookies: page.cookies,
    evaluate_results: actions.flatMap(({ type, result }) => (type === 'evaluate' ? [result ?? null] : [])),
    js_scenario_report: actions.length === 0 ? {} : scenarioReport(actions),
    xhr: exchangesOf(page).flatMap(({ resource_type: type, status, ...exchange }) =>
      type === 'document'
        ? []
        : [
            {
              url: exchange.url,
              status_code: status,
              method: exchange.method,
              headers: exchange.headers,
              body: exchange.body,
            },
          ],
    ),
    ...(screenshot !== null && { screenshot: screenshot.toString('base64') }),
  });
}

interface ActionEntry {
  readonly type: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly duration_ms: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Durations in seconds. */
function scenarioReport(actions: readonly ActionEntry[]) {
  const count = (wanted: boolean) => actions.filter(({ status }) => (status === 'ok') === wanted).length;
  const total = actions.reduce((sum, { duration_ms: ms }) => sum + ms, 0);
  return {
    task_executed: actions.filter(({ status }) => status !== 'skipped').length,
    task_failure: count(false),
    task_success: count(true),
    total_duration: total / 1000,
    tasks: actions.map(({ type, status, duration_ms: ms, error }) => ({
      task: type,
      success: status === 'ok',
      duration: ms / 1000,
      ...(error !== undefined && { error: error.message }),
    })),
  };
}

/** JSON with a byte order mark or a guard stays text. */
function parsed(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The status of the first response, before redirects. */
const initialStatus = ({ status_code: status, router }: ScrapedPage): number | null =>
  router.redirects?.find(({ status_code: first }) => first !== null)?.status_code ?? status;

/** What a page of a target may do when a browser shows it from our origin: nothing. */
const SANDBOX = "sandbox; default-src 'none'";

/** The headers about the page: those of the target begin with `Spb-`. */
export function setPageHeaders(reply: FastifyReply, page: ScrapedPage): void {
  for (const [name, value] of Object.entries(page.headers)) {
    if (!isHeaderName(name)) continue;
    const values = value.split('\n').filter((one) => headerValueProblem(one) === null);
    if (values.length > 0) reply.header(`spb-${name}`, values.length === 1 ? values[0] : values);
  }
  const { request_cost: cost } = page.router;
  if (cost !== null) reply.header('spb-cost', String(cost));
  reply.header('spb-initial-status-code', String(initialStatus(page)));
  if (page.final_url !== null) reply.header('spb-resolved-url', page.final_url);
  reply.headers({
    'sluice-scrape-id': page.id,
    'content-security-policy': SANDBOX,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}
