import { type Static, Type } from 'typebox';
import { closed, isObject, optional } from '../domain/json-schema.ts';
import { addProblem, type Problems } from '../wire/schema/problems.ts';

/** Formats whose text a tool can give; `json` is what `schema` asks for. */
const FORMATS = [
  'markdown',
  'text',
  'html',
  'links',
  'metadata',
  'structured',
  'images',
  'feed',
  'json',
] as const;
export type TextFormat = (typeof FORMATS)[number];

const AnyObject = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description });

/** Arguments about what of a page is given. */
export const READING_ARGUMENTS = optional({
  format: Type.Enum([...FORMATS], {
    default: 'markdown',
    description: 'What to give of the page. `json` needs `schema`. All but markdown, text, html are JSON.',
  }),
  only_main_content: Type.Boolean({
    default: true,
    description: 'Without navigation, sidebars, banners. For links and images of the whole page: false.',
  }),
  schema: AnyObject('A JSON Schema of the data to extract; sets `format` to json. Nothing is invented.'),
  max_chars: Type.Integer({
    minimum: 200,
    maximum: 200_000,
    default: 20_000,
    description: 'Longest text; `next_offset` says where the rest begins, which `read` gives.',
  }),
});

export const TIMEOUT = Type.Optional(
  Type.Integer({
    minimum: 1_000,
    maximum: 300_000,
    default: 60_000,
    description: 'Time limit of the scrape.',
  }),
);

export const SCRAPER = Type.Optional(
  Type.String({
    default: 'auto',
    description: '`auto` chooses and tries again by itself; else http, http_impersonate or browser.',
  }),
);

export const REQUEST = Type.Optional(
  AnyObject(
    'Further members of a scrape request (POST /api/v1/scrape/), such as {"proxy": {"country": "de"}} or {"page_actions": […]}.',
  ),
);

/** The same for tools that only read. */
export const READING_REQUEST = Type.Optional(
  AnyObject(
    'Further members of a scrape request that only read, such as {"proxy": {"country": "de"}}. The tool `act` takes those that may change something: `method`, `data`, `page_actions`.',
  ),
);

export const Url = Type.String({ minLength: 1, maxLength: 8_192, description: 'Absolute http(s) URL.' });

const ReadingArguments = closed(READING_ARGUMENTS);

export interface ReadingWish {
  readonly format: TextFormat;
  readonly onlyMainContent: boolean;
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxChars: number;
}

export function readingWish(
  { format, only_main_content, schema, max_chars }: Static<typeof ReadingArguments>,
  problems: Problems,
): ReadingWish {
  if (format === 'json' && schema === undefined) addProblem(problems, '/schema', 'is needed for json');
  if (schema !== undefined && format !== undefined && format !== 'json')
    addProblem(problems, '/format', 'must be json with `schema`');
  return {
    format: schema === undefined ? (format ?? 'markdown') : 'json',
    onlyMainContent: only_main_content ?? true,
    schema: schema ?? null,
    maxChars: max_chars ?? 20_000,
  };
}

/** The members of `scraper_options` that ask for it. */
export const readingMembers = ({ format, onlyMainContent, schema }: ReadingWish) => ({
  ...(schema === null ? { formats: [format] } : { json: { schema } }),
  only_main_content: onlyMainContent,
});

/**
 * The members of `request`, none of which may be an argument of the tool.
 * @param own members of the request that the tool sets itself
 * @param ownOptions the same of `scraper_options`
 */
export function furtherMembers(
  { request = {} }: { readonly request?: Readonly<Record<string, unknown>> | undefined },
  own: readonly string[],
  problems: Problems,
  ownOptions: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const refuse = (members: Readonly<Record<string, unknown>>, names: readonly string[], pointer: string) => {
    for (const name of names)
      if (members[name] !== undefined)
        addProblem(problems, `${pointer}/${name}`, 'is set by arguments of the tool');
  };
  refuse(request, own, '/request');
  const { scraper_options: options } = request;
  if (isObject(options)) refuse(options, ownOptions, '/request/scraper_options');
  return request;
}

const READING_METHODS = ['GET', 'HEAD'];
/** Header fields by which frameworks take another method than that of the request. */
const METHOD_FIELDS = ['x-http-method', 'x-http-method-override', 'x-method-override'];

/** Adds a problem for each member of `request` by which a tool that only reads would change something at the site. */
export function refuseActing(
  { request = {} }: { readonly request?: Readonly<Record<string, unknown>> | undefined },
  problems: Problems,
): void {
  const refuse = (pointer: string): void =>
    addProblem(problems, `/request/${pointer}`, 'may change something at the site; use the tool `act`');
  const { method, data, page_actions: actions, headers, router } = request;
  if (method != null && !READING_METHODS.includes(String(method).toUpperCase())) refuse('method');
  if (data != null) refuse('data');
  if (actions != null && !(Array.isArray(actions) && actions.length === 0)) refuse('page_actions');
  for (const member of ['webhook', 'channels', 'notify_on'])
    if (isObject(router) && router[member] != null) refuse(`router/${member}`);
  const names = Array.isArray(headers)
    ? headers.map(nameOfField)
    : isObject(headers)
      ? Object.keys(headers)
      : [];
  if (names.some((name) => METHOD_FIELDS.includes(name.toLowerCase()))) refuse('headers');
}

/** The name of a header field in one of the shapes of `headers`: a pair, an object or a line. */
function nameOfField(entry: unknown): string {
  if (Array.isArray(entry)) return String(entry[0]);
  if (isObject(entry)) return String(entry.name);
  return String(entry).split(/[:=]/, 1)[0]!.trim();
}
