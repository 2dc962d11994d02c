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
