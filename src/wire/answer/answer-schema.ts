import { Type } from 'typebox';
import { FAILURES, type FailureCode, WARNINGS, type WarningCode } from '../../domain/failure.ts';
import { closed, mapOf, orNull } from '../../domain/json-schema.ts';
import { OUTCOMES, STOP_REASONS } from '../../domain/scrape.ts';
import { SCRAPER_NAMES } from '../../domain/scrapers.ts';
import { PROXY_TYPES } from '../../domain/task.ts';
import { VENDOR_KINDS } from '../../domain/vendors.ts';
import { VERDICT_KINDS } from '../../domain/verdict.ts';
import { ScrapeChange } from '../change.ts';
import { ScraperSchema, VendorScraperSchema } from '../scraper-schema.ts';
import { READING_MEMBERS } from './reading-schema.ts';

const Text = orNull(Type.String());

export const ActionResultSchema = closed(
  {
    index: Type.Integer({
      minimum: 0,
      description:
        'Position in `page_actions`. Actions inside an `if` have the index of the `if`, and follow it.',
    }),
    id: Text,
    type: Type.String(),
    status: Type.Enum(['ok', 'failed', 'skipped']),
    duration_ms: Type.Integer({ minimum: 0 }),
    result: Type.Optional(
      Type.Unknown({
        description:
          'Result of the action; depends on its type. Not stored if `router.retain` is not `full`.',
      }),
    ),
    error: Type.Optional(closed({ code: Type.String(), message: Type.String() })),
  },
  { title: 'ActionResult', description: 'Result of a page action.' },
);

export const CapturedExchangeSchema = closed(
  {
    url: Type.String({ description: 'URL without credentials.' }),
    method: Type.String(),
    status: orNull(Type.Integer(), { description: 'null if there was no response.' }),
    resource_type: Type.String({ description: '`document`, `script`, `xhr`, `fetch` …' }),
    request_headers: mapOf(Type.String(), { description: 'Request headers as sent, with secrets masked.' }),
    headers: mapOf(Type.String(), { description: 'Names in lower case; repeated headers are joined.' }),
    body: orNull(Type.String(), {
      description:
        'null if it was not requested, the response has none (a redirect), it was not received, or it is too long.',
    }),
    body_encoding: orNull(Type.Enum(['utf-8', 'base64'])),
    truncated: Type.Boolean({ description: 'Whether the body was truncated.' }),
    started_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Start, counted from that of the first entry. Absent in results of `wait_for_response`, and in records of earlier versions.',
      }),
    ),
    duration_ms: Type.Optional(
      orNull(Type.Integer({ minimum: 0 }), { description: 'Time to the last byte. null if it did not end.' }),
    ),
  },
  { title: 'CapturedExchange' },
);

const FileUrl = orNull(
  Type.String({
    description: 'Signed link to the file, or a data URL. null if the file was deleted to free storage.',
  }),
);

export const VendorUseSchema = closed(
  {
    name: Type.String({ description: 'Name in the file of vendors.' }),
    kind: Type.Enum([...VENDOR_KINDS]),
    request_id: orNull(Type.String({ description: 'What the vendor calls the request.' })),
    credits: orNull(Type.Number({ minimum: 0, description: 'As the vendor reports them.' })),
    cost_source: Type.Enum(['reported', 'estimated', 'unknown'], {
      description:
        'Source of the cost: reported by the vendor, calculated from the prices of the operator, or unknown.',
    }),
  },
  { title: 'VendorUse', description: 'The vendor that fetched the page.' },
);

export const ScraperData = closed(
  {
    vendor: Type.Optional(VendorUseSchema),
    charset: Type.Optional(closed({ name: Type.String(), source: Type.String() })),
    ...READING_MEMBERS,
    change: Type.Optional(ScrapeChange),
    actions: Type.Optional(
      Type.Array(ActionResultSchema, {
        description:
          'Results of all page actions in order. For an `if`, only the actions of the branch that was run are included.',
      }),
    ),
    pdf: Type.Optional(
      orNull(
        closed({
          url: FileUrl,
          bytes: Type.Integer({ minimum: 0 }),
          pages: Type.Integer({ minimum: 0 }),
        }),
        { description: 'The printed page. null if it could not be printed.' },
      ),
    ),
    downloads: Type.Optional(
      Type.Array(
        closed(
          {
            url: FileUrl,
            name: Type.String({ description: 'File name, without folders.' }),
            type: Type.String({ description: 'Media type.' }),
            bytes: Type.Integer({ minimum: 0 }),
            from: Type.String({ description: 'URL that it was downloaded from.' }),
          },
          { title: 'Download' },
        ),
        {
          description: 'The page itself, if it was sent as an attachment, and the files that actions saved.',
        },
      ),
    ),
    network: Type.Optional(
      Type.Array(CapturedExchangeSchema, {
        description:
          'Requests that match `capture`, in the order the page sent them. Each redirect is an entry of its own.',
      }),
    ),
  },
  {
    title: 'ScraperData',
    description: 'The requested formats and extracted data. null if the page has none.',
  },
);

const opt = Type.Optional;
const Int = Type.Integer();
const Ms = orNull(Type.Integer({ minimum: 0 }));
const Source = Type.Enum([
  'request',
  'service',
  'route',
  'proxy',
  'vendor',
  'target',
  'browser',
  'action',
  'extract',
]);
const ScraperName = ScraperSchema;
const ProxyType = Type.Enum([...PROXY_TYPES]);
const OutcomeName = Type.Enum([...OUTCOMES]);

export const ErrorCodeName = Type.Enum(Object.keys(FAILURES) as FailureCode[], { title: 'ErrorCode' });
export const WarningCodeName = Type.Enum(Object.keys(WARNINGS) as WarningCode[], { title: 'WarningCode' });

const NOTICE = {
  message: Type.String({ description: 'What is wrong, what is allowed, and what was given.' }),
  source: Source,
  retryable: Type.Boolean({ description: 'Whether retrying the same request may succeed.' }),
  attempt: opt(Int),
  pointer: opt(Type.String({ description: 'JSON Pointer (RFC 6901) into the request.' })),
  details: opt(Type.Object({}, { additionalProperties: true })),
};
export const ErrorEntry = closed(
  {
    code: ErrorCodeName,
    level: Type.Literal('error'),
    ...NOTICE,
    scraper: opt(ScraperName),
    line: opt(Type.Integer({ minimum: 1, description: 'Number of the line, of a body of lines.' })),
  },
  { title: 'ErrorEntry' },
);
export const WarningEntry = closed(
  { code: WarningCodeName, level: Type.Literal('warning'), ...NOTICE },
  { title: 'WarningEntry' },
);

export const Cookie = closed(
  {
    name: Type.String(),
    value: Type.String(),
    domain: Type.String(),
    path: Type.String(),
    expires: orNull(Type.Number()),
    secure: Type.Boolean(),
    http_only: Type.Boolean(),
    same_site: orNull(Type.String()),
  },
  { title: 'Cookie' },
);

export const CandidateSchema = closed(
  {
    scraper: ScraperName,
    proxy_type: ProxyType,
    est_cost: orNull(Type.Number()),
    est_success: orNull(Type.Number()),
    est_ms: orNull(Type.Integer({ description: 'Usual duration of an attempt, including `est_wait_ms`.' })),
    est_wait_ms: Type.Optional(
      Type.Integer({
        description:
          'All slots of the account at the vendor are taken: how long the attempt would wait for one.',
      }),
    ),
    selected: Type.Boolean(),
    excluded_by: orNull(Type.String()),
  },
  { title: 'Candidate' },
);

export const AttemptSchema = closed(
  {
    n: Type.Integer({ minimum: 1 }),
    scraper: ScraperName,
    proxy_type: ProxyType,
    direct: opt(Type.Boolean({ description: 'Whether no proxy was used.' })),
    country: orNull(Type.String()),
    outcome: Type.Enum(['ok', 'rejected', 'failed', 'cancelled']),
    verdict: orNull(Type.Enum([...VERDICT_KINDS])),
    status_code: orNull(Int),
    error_code: orNull(ErrorCodeName),
    duration_ms: Type.Integer({ minimum: 0 }),
    bytes_out: Type.Integer({ minimum: 0 }),
    bytes_in: Type.Integer({ minimum: 0 }),
    cost: orNull(Type.Number()),
    reason: Type.String(),
    reused: Type.Array(Type.String()),
  },
  { title: 'Attempt' },
);

const Stopped = closed(
  { reason: Type.Enum([...STOP_REASONS]), message: Type.String() },
  {
    description: 'Why `auto` gave up before every method was tried. null if it did not.',
  },
);

const CostDetail = closed({
  attempt: orNull(Type.Integer({ minimum: 1 }), {
    description: 'null: of the model, which belongs to no attempt.',
  }),
  item: Type.Enum([
    'scraper',
    'vendor',
    'proxy_request',
    'proxy_traffic',
    'model_tokens_in',
    'model_tokens_out',
  ]),
  name: Type.String({ description: 'The scraper, proxy type or model.' }),
  quantity: Type.Integer({
    minimum: 0,
    description: 'Attempts, requests, bytes sent and received, or tokens.',
  }),
  unit_price: Type.Number({
    minimum: 0,
    description: 'Price per attempt, request, 10⁹ bytes or 10⁶ tokens.',
  }),
  cost: Type.Number({ minimum: 0 }),
});

const ModelUseSchema = closed(
  {
    name: Type.String(),
    calls: Type.Integer({ minimum: 0 }),
    tokens_in: Type.Integer({ minimum: 0 }),
    tokens_out: Type.Integer({ minimum: 0 }),
    cost: orNull(Type.Number({ minimum: 0 }), { description: 'null: the model has no price.' }),
  },
  { description: 'Calls of the model for the format `json`, also those that failed.' },
);

const RobotsResult = closed(
  {
    mode: Type.Enum(['report', 'respect']),
    url: Type.String({ description: 'URL of the robots.txt file.' }),
    agent: Type.String({ description: 'User agent whose rules were applied.' }),
    allowed: orNull(
      Type.Boolean({ description: 'Whether the page may be fetched. null if the file could not be read.' }),
    ),
    rule: orNull(Type.String({ description: 'The rule that decided. null if no rule matched.' })),
    status_code: orNull(Int),
  },
  { description: 'Result of the robots.txt check. null if robots.txt was not read.' },
);

const Timing = closed({
  queue: orNull(
    Type.Integer({ minimum: 0, description: 'Time spent waiting for a slot, a browser, memory or a proxy.' }),
  ),
  pause: orNull(
    Type.Integer({
      minimum: 0,
      description: 'Pauses that the site asked for (`Retry-After`, pacing), and pauses between attempts.',
    }),
  ),
  dns: Ms,
  connect: Ms,
  tls: Ms,
  ttfb: Ms,
  download: Ms,
  load: Ms,
  wait: Ms,
  actions: Ms,
  read: opt(
    orNull(
      Type.Integer({
        minimum: 0,
        description:
          'Reading the page: documents, Markdown and other formats. Absent in records of before 0.1.',
      }),
    ),
  ),
  total: Ms,
});

const ROUTER = {
  content_returned: opt(
    Type.Boolean({
      description:
        'false: the request set `return_content: false`, so that `content` is null although there may be one. Else absent.',
    }),
  ),
  scraper: orNull(ScraperName),
  request_headers: mapOf(Type.String(), {
    description: 'Request headers as sent to the target, with secrets masked.',
  }),
  request_cost: orNull(
    Type.Number({
      minimum: 0,
      description: 'Total cost in `cost_unit`. null if something used has no price.',
    }),
  ),
  proxy_type: orNull(ProxyType),
  direct: opt(
    orNull(Type.Boolean(), {
      description:
        'Whether no proxy was used, so that the target saw the address of this service. `proxy_type` is the type that was asked for, `datacenter` by default. null: there was no attempt.',
    }),
  ),
  outcome: OutcomeName,
  warnings: Type.Array(WarningEntry),
  requested_scraper: opt(Type.Union([Type.Enum(['auto', ...SCRAPER_NAMES]), VendorScraperSchema])),
  started_at: opt(
    Type.String({
      format: 'date-time',
      description: 'When the work began. `created_at` of the record is when the request was accepted.',
    }),
  ),
  attempts: opt(Type.Array(AttemptSchema)),
  candidates: opt(Type.Array(CandidateSchema)),
  stopped: opt(orNull(Stopped)),
  explanation: opt(
    Type.String({
      description: 'What was done, why, and what it cost, in a sentence or two of plain English.',
    }),
  ),
  verdict: opt(
    orNull(
      closed({
        kind: Type.Enum([...VERDICT_KINDS]),
        confidence: Type.Number({ minimum: 0, maximum: 1 }),
        signals: Type.Array(Type.String()),
        by: opt(
          orNull(
            Type.String({
              description:
                'Who sent the challenge, captcha or block page: a vendor, or `queue` for a waiting room.',
            }),
          ),
        ),
      }),
    ),
  ),
  cost_unit: opt(
    Type.String({ description: 'Currency set by the operator, or `effort` if no prices are configured.' }),
  ),
  cost_details: opt(
    Type.Array(CostDetail, {
      description:
        'Cost items; their sum is `request_cost`. Free items are left out. Empty if `request_cost` is null.',
    }),
  ),
  model: opt(orNull(ModelUseSchema)),
  robots: opt(orNull(RobotsResult)),
  cache: opt(closed({ hit: Type.Boolean(), age_ms: orNull(Type.Number()) })),
  timing: opt(Timing),
  redirects: opt(Type.Array(closed({ url: Type.String(), status_code: orNull(Int) }))),
  remote_ip: opt(orNull(Type.String())),
  body_type: opt(orNull(Type.Enum(['json', 'form', 'raw', 'binary', 'multipart']))),
};
export const RouterMeta = closed(ROUTER, {
  title: 'RouterMeta',
  description: 'How the page was fetched. With `router.trace: false` only the first six fields are included.',
});
const StoredRouterMeta = closed({
  ...ROUTER,
  created_at: Type.String({ format: 'date-time' }),
  http_status: orNull(Int, {
    description:
      'Status of the response to the caller. null if the caller disconnected, or it was not stored.',
  }),
  key_id: orNull(Type.String(), {
    description: 'Id of the API key used. null for a session of the dashboard.',
  }),
  user_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Owner of the scrape. Only in sessions of administrators.',
    }),
  ),
  job_id: Type.Optional(
    orNull(Type.String({ format: 'uuid' }), {
      description: 'The job that it is an item of; null: none. Only of a single record.',
    }),
  ),
  monitor: Type.Optional(
    orNull(closed({ id: Type.String({ format: 'uuid' }), n: Int }), {
      description: 'The run of a monitor that it belongs to; null: none. Only of a single record.',
    }),
  ),
});

const RESPONSE = {
  status_code: orNull(Int, { description: "Status of the target's response." }),
  final_url: orNull(Type.String()),
  headers: mapOf(Type.String(), { description: 'Names in lower case; repeated headers are joined.' }),
  content: orNull(Type.String()),
  content_encoding: orNull(Type.Enum(['utf-8', 'base64'])),
  cookies: Type.Array(Cookie),
  errors: Type.Array(ErrorEntry),
  screenshot_url: orNull(Type.String()),
  scraper_data: ScraperData,
};
const Id = Type.String({ format: 'uuid', description: 'Id of the stored record.' });

export const ScrapeResponse = closed(
  { id: Id, ...RESPONSE, router: RouterMeta },
  { title: 'ScrapeResponse' },
);
export const ScrapeRecord = closed(
  { id: Id, ...RESPONSE, router: StoredRouterMeta },
  { title: 'ScrapeRecord', description: 'A stored scrape. Parts that were not kept are null or empty.' },
);

/** The state of an asynchronous scrape that has no result yet. */
export const AsyncState = closed(
  { id: Id, state: Type.Enum(['queued', 'running']) },
  { title: 'AsyncState', description: 'The scrape has not ended.' },
);

const PROBLEM = {
  type: Type.String({ description: '`{base_url}/api/v1/errors/#<code>`' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String(),
  code: ErrorCodeName,
  request_id: Type.String(),
  retryable: Type.Boolean(),
  errors: Type.Array(ErrorEntry, { minItems: 1 }),
};
export const ReadingResult = closed(
  {
    id: Id,
    scraper_data: ScraperData,
    errors: Type.Array(ErrorEntry, { description: 'What is missing or incomplete in `scraper_data`.' }),
    warnings: Type.Array(WarningEntry),
    model: orNull(ModelUseSchema, { description: 'The model that was asked; null: none was.' }),
    cost_unit: Type.String({ description: 'Of the cost of the model.' }),
  },
  { title: 'ReadingResult', description: 'What was read from the content of a stored scrape.' },
);
export const Problem = closed(
  {
    ...PROBLEM,
    errors_total: opt(
      Type.Integer({ minimum: 1, description: 'Number of all errors, if `errors` has only the first.' }),
    ),
    candidates: opt(Type.Array(CandidateSchema)),
  },
  {
    title: 'Problem',
    description: 'Problem details (RFC 9457) of a request that was rejected before scraping.',
  },
);
export const ScrapeProblem = closed(
  { ...PROBLEM, id: orNull(Id), ...RESPONSE, errors: PROBLEM.errors, router: RouterMeta },
  {
    title: 'ScrapeProblem',
    description:
      'Problem details (RFC 9457) of a failed scrape. Also has every field of the scrape response.',
  },
);
