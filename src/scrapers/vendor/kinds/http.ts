import { type Static, Type } from 'typebox';
import { runWithTimeLimit } from '../../../base/time-limit.ts';
import { firstMatch, jsonPathProblem } from '../../../content/json/json-path.ts';
import type { HeaderList } from '../../../domain/fetch-result.ts';
import { closed, mapOf } from '../../../domain/json-schema.ts';
import { VENDOR_REASONS, type VendorReason, type VendorSettings } from '../../../domain/vendors.ts';
import type { VendorAnswer, VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import { fillTemplate, mentions, methodsOf, templateProblem } from './http-template.ts';
import {
  answered,
  base64OrNull,
  cookieList,
  headerList,
  member,
  page,
  retryAfterMs,
  statusOrNull,
  textOrNull,
  trouble,
} from './shared.ts';

/** The body of the response is the page; its status is that of the page. */
const RAW = 'raw';
const RESPONSE = 'response';

const Place = (what: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: `${what}: a JSONPath (\`$…\`) in the response, or the name of a header of it`,
    }),
  );

const OPTIONS = closed({
  method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT'], { default: 'GET' })),
  path: Type.Optional(Type.String({ maxLength: 4000, description: 'after `base_url`, with the query' })),
  headers: Type.Optional(mapOf(Type.String({ maxLength: 8000 }))),
  body: Type.Optional(Type.Unknown({ description: 'an object or a list: JSON; or a text' })),
  renders: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'The vendor returns the page as it is after its scripts ran.',
    }),
  ),
  answer: closed({
    body: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: '`raw`: the body of the response; or a JSONPath in it',
    }),
    body_encoding: Type.Optional(Type.Enum(['text', 'base64'], { default: 'text' })),
    status: Place('status of the page; `response`: that of the response itself'),
    headers: Place(
      'headers of the page, `{name: value}` or `[{name, value}]`; `response`: those of the response',
    ),
    cookies: Place('list of cookies with `name`, `value`, `domain` …'),
    final_url: Place('URL after redirects'),
    credits: Place('what the request cost'),
    request_id: Place('what the service calls the request'),
    screenshot: Place('PNG or JPEG in Base64'),
    error: Place('why there is no page; absent, null, false and "" are no error'),
  }),
  failures: Type.Optional(
    mapOf(Type.Enum([...VENDOR_REASONS]), {
      description: 'why there is no page, by the status of the response or the value of `answer.error`',
    }),
  ),
});
type HttpOptions = Static<typeof OPTIONS>;

const optionsOf = ({ options }: VendorSettings) => options as HttpOptions;

/** An API that the operator describes: what is sent, and where in the response the page stands. */
export const HTTP: VendorKindSpec = {
  baseUrl: null,
  needsKey: false,
  proxyTypes: ['datacenter'],
  anyProxyType: true,
  options: OPTIONS,
  problem(options) {
    const { answer, ...template } = options as HttpOptions;
    return templateProblem(template) ?? answerProblem(answer);
  },
  capabilities(settings) {
    const options = optionsOf(settings);
    const has = (name: string) => mentions(options, name);
    return {
      renders: options.renders === true,
      methods: methodsOf(options),
      headers: has('headers'),
      cookies: has('cookies'),
      country: has('country') || has('country_lower'),
      session: has('session'),
      // A redirect of the page as the status of the response would be one of the API.
      noRedirects: has('follow_redirects') && options.answer.status !== RESPONSE,
      members: new Set(has('screenshot') && options.answer.screenshot !== undefined ? ['/screenshot'] : []),
    };
  },
  maxCredits: () => null,
  build: (call) => fillTemplate(optionsOf(call.settings), call),
  read(reply, { settings, task }): VendorAnswer {
    const options = optionsOf(settings);
    const read = runWithTimeLimit(JSON_PATH_MS, () => readPlaces(reply, options.answer));
    if (read === null) return trouble('protocol', 'answered with JSON that takes too long to read');
    const told = read.value;
    const charge = { credits: numberOf(told.credits), requestId: idOf(told.request_id) };
    const failed = failureOf(reply, told.error, options);
    if (failed !== null) return { ...failed, ...charge };
    const isText = options.answer.body !== RAW && options.answer.body_encoding !== 'base64';
    const body = isText ? textOrNull(told.body) : bytesOf(told.body, options.answer);
    if (body === null) return trouble('protocol', 'answered without the page', charge);
    return page(typeof body === 'string' ? Buffer.from(body) : body, {
      ...charge,
      statusCode: statusOrNull(told.status),
      headers: headersOf(told.headers),
      finalUrl: textOrNull(told.final_url),
      cookies: cookieList(told.cookies),
      isRendered: options.renders === true,
      isDecoded: isText,
      screenshot: task.browser.screenshot ? base64OrNull(told.screenshot) : null,
    });
  },
};

const JSON_PATH_MS = 1_000;

function answerProblem(answer: HttpOptions['answer']): string | null {
  for (const [name, place] of Object.entries(answer)) {
    if (name === 'body_encoding') continue;
    const problem = place.startsWith('$') ? jsonPathProblem(place) : placeProblem(name, place);
    if (problem !== null) return `\`answer.${name}\`: ${problem}`;
  }
  if (answer.body === RAW && answer.body_encoding === 'base64')
    return '`answer.body_encoding`: a raw body has none';
  return null;
}

function placeProblem(name: string, place: string): string | null {
  if (name === 'body') return place === RAW ? null : 'must be `raw` or a JSONPath';
  if (name === 'headers' || name === 'cookies')
    return name === 'headers' && place === RESPONSE ? null : 'must be a JSONPath';
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(place) ? null : 'must be a JSONPath or the name of a header';
}

type Told = Readonly<Record<keyof HttpOptions['answer'], unknown>>;

/** What stands at the places of the answer; undefined: nothing. */
function readPlaces(reply: VendorReply, answer: HttpOptions['answer']): Told {
  const needsJson = Object.values(answer).some((place) => place.startsWith('$'));
  const json = needsJson ? reply.json() : undefined;
  const valueAt = ([name, place]: readonly [string, string]): unknown => {
    if (name === 'body' && place === RAW) return reply.body;
    if (place.startsWith('$')) return json === undefined ? undefined : firstMatch(json, place);
    if (place === RESPONSE && name === 'status') return reply.status;
    if (place === RESPONSE && name === 'headers') return reply.headers;
    return reply.header(place.toLowerCase()) ?? undefined;
  };
  return Object.fromEntries(
    Object.entries(answer).map((entry) => [entry[0], valueAt(entry)]),
  ) as unknown as Told;
}

const bytesOf = (body: unknown, { body: place }: HttpOptions['answer']): Uint8Array | null =>
  place === RAW ? (body as Uint8Array) : base64OrNull(body);

/** Headers of services are texts. */
const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
};
const idOf = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : (textOrNull(value)?.slice(0, 200) ?? null);

/** `{name: value}`, `[{name, value}]` or `[[name, value]]`. */
function headersOf(value: unknown): HeaderList | null {
  if (!Array.isArray(value)) return headerList(value);
  return value.flatMap((one): HeaderList => {
    const [name, text] = Array.isArray(one) ? one : [member(one, 'name'), member(one, 'value')];
    return typeof name === 'string' && typeof text === 'string' ? [[name.toLowerCase(), text]] : [];
  });
}

/** Reasons by status, where the operator names none. */
const REASONS: Readonly<Record<number, VendorReason>> = {
  400: 'unsupported',
  401: 'auth',
  402: 'credits',
  403: 'auth',
  408: 'timeout',
  422: 'unsupported',
  429: 'throttled',
  503: 'throttled',
  504: 'timeout',
};

/** Why there is no page; null: there is one. */
function failureOf(reply: VendorReply, error: unknown, { answer, failures = {} }: HttpOptions) {
  const { status } = reply;
  const isError = error !== undefined && error !== null && error !== false && error !== '';
  const isOwnStatus = answer.status !== RESPONSE;
  const named = failures[String(error)] ?? failures[String(status)];
  const isFailure = isError || (isOwnStatus ? status < 200 || status > 299 : named !== undefined);
  if (!isFailure) return null;
  const detail = typeof error === 'string' ? error : null;
  const reason = named ?? REASONS[status] ?? 'protocol';
  return trouble(reason, answered(status, detail), { retryAfterMs: retryAfterMs(reply) });
}
