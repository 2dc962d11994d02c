import { exactNumbers, javaScript } from '../../../../../src/snippets/quoting.ts';
import type { Snippet } from '../../../../../src/snippets/snippet.ts';
import { isObject, type Json, type JsonObject } from '../model/json.ts';

interface Draft {
  readonly formats: Json[];
  readonly options: Record<string, Json>;
}

/** Writes a member as options of the client. @returns whether it could be written */
type Member = (value: Json, draft: Draft, request: JsonObject) => boolean;

const set =
  (name: string): Member =>
  (value, { options }) => {
    options[name] = value;
    return true;
  };

/** A member that has only one value which means something there. */
const only =
  (expected: Json, apply: (draft: Draft) => void = () => {}): Member =>
  (value, draft) => {
    if (value !== expected) return false;
    apply(draft);
    return true;
  };

const FORMATS: Readonly<Record<string, string>> = {
  markdown: 'markdown',
  html: 'rawHtml',
  links: 'links',
  images: 'images',
};

/** The members of a scrape request that options of Firecrawl's clients stand for, by pointer. */
const MEMBERS: Readonly<Record<string, Member>> = {
  '/scraper': only('auto'),
  '/method': only('GET'),
  '/allow_redirects': only(true),
  '/headers': (value, { options }) => {
    if (!isObject(value) || Object.values(value).some((text) => typeof text !== 'string')) return false;
    options.headers = value;
    return true;
  },
  '/timeout_ms': set('timeout'),
  '/wait_for_timeout_ms': set('waitFor'),
  '/screenshot': (value, { formats }, { scraper_options: options }) => {
    if (value !== true) return value === false;
    const { full_page, quality } =
      isObject(options) && isObject(options.screenshot) ? options.screenshot : {};
    formats.push({
      type: 'screenshot',
      ...(full_page === undefined ? {} : { fullPage: full_page }),
      ...(quality === undefined ? {} : { quality }),
    });
    return true;
  },
  '/page_actions': (value, { options }) => {
    const actions = Array.isArray(value) ? (value as readonly Json[]).map(action) : [null];
    if (actions.includes(null)) return false;
    options.actions = actions as Json[];
    return true;
  },
  '/scraper_options/formats': (value, { formats }) => {
    const names = Array.isArray(value) ? (value as readonly Json[]) : [];
    // The metadata is always in the result.
    const wanted = names.filter((name) => name !== 'metadata').map((name) => FORMATS[String(name)]);
    if (wanted.includes(undefined)) return false;
    formats.push(...(wanted as string[]));
    return true;
  },
  // There, what the target sent is one of the formats.
  '/scraper_options/return_content': (value, { formats }, { scraper_options: options }) => {
    if (value === true && !formats.includes('rawHtml')) formats.push('rawHtml');
    return (
      value === true || (isObject(options) && Array.isArray(options.formats) && options.formats.length > 0)
    );
  },
  '/scraper_options/only_main_content': set('onlyMainContent'),
  '/scraper_options/verify_tls': (value, { options }) => {
    options.skipTlsVerification = value !== true;
    return true;
  },
  '/scraper_options/json': (value, { formats }) => {
    if (!isObject(value) || Object.keys(value).some((name) => name !== 'schema' && name !== 'prompt'))
      return false;
    formats.push({ type: 'json', ...value });
    return true;
  },
  // With /screenshot.
  '/scraper_options/screenshot': (value, _, { screenshot }) =>
    screenshot === true &&
    isObject(value) &&
    Object.entries(value).every(
      ([name, member]) =>
        name === 'full_page' || name === 'quality' || (name === 'type' && member === pictureType(value)),
    ),
  '/scraper_options/main_content': (value, { options }) => {
    if (!isObject(value) || Object.keys(value).some((name) => name !== 'include' && name !== 'exclude'))
      return false;
    if (value.include !== undefined) options.includeTags = value.include;
    if (value.exclude !== undefined) options.excludeTags = value.exclude;
    return true;
  },
  '/proxy/type': (value, { options }) => {
    if (value !== 'residential') return false;
    options.proxy = 'enhanced';
    return true;
  },
  '/proxy/country': (value, { options }) => {
    options.location = { country: value };
    return true;
  },
  '/router/sort': only('fastest', ({ options }) => {
    options.fastMode = true;
  }),
  '/router/retain': only('none', ({ options }) => {
    options.zeroDataRetention = true;
  }),
};

/** With a quality, the picture of Firecrawl's clients is a JPEG, otherwise a PNG. */
const pictureType = ({ quality }: JsonObject): string => (quality === undefined ? 'png' : 'jpeg');

/** An action of Firecrawl that does the same; null: there is none. */
function action(ours: Json): JsonObject | null {
  if (!isObject(ours)) return null;
  const { type, ...members } = ours;
  const has = (...names: readonly string[]) =>
    Object.keys(members).length === names.length && names.every((name) => members[name] !== undefined);
  if (type === 'wait' && has('ms')) return { type, milliseconds: members.ms! };
  if (type === 'click' && has('selector')) return { type, selector: members.selector! };
  if (type === 'press' && has('key')) return { type, key: members.key! };
  if (type === 'type' && has('text')) return { type: 'write', text: members.text! };
  if (type === 'evaluate' && has('script')) return { type: 'executeJavascript', script: members.script! };
  return null;
}

/** The request as a module for Firecrawl's client for JavaScript. Members that its options cannot say are left out. */
export function firecrawlProgram(baseUrl: string, request: JsonObject): Snippet {
  const { url, ...members } = request;
  if (typeof url !== 'string') return { code: null, missing: ['/url'] };
  const draft: Draft = {
    formats: [],
    // The defaults of Firecrawl are the opposite.
    options: { onlyMainContent: false, skipTlsVerification: false },
  };
  const missing: string[] = [];
  for (const [pointer, value] of leaves(members)) {
    const member = Object.hasOwn(MEMBERS, pointer) ? MEMBERS[pointer] : undefined;
    const isExact = exactNumbers(value).length === 0;
    if (!isExact || member?.(value, draft, request) !== true) missing.push(pointer);
  }
  const formats = draft.formats.length === 0 ? ['rawHtml'] : draft.formats;
  return {
    code: `import { Firecrawl } from 'firecrawl';

const firecrawl = new Firecrawl({
  apiUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.SLUICE_KEY,
});
const page = await firecrawl.scrape(${JSON.stringify(url)}, ${javaScript({ formats, ...draft.options })});
console.log(page);
`,
    missing,
  };
}

/** The members with the members of `scraper_options`, `router` and `proxy` in place of these. */
function leaves(members: JsonObject): readonly (readonly [pointer: string, value: Json])[] {
  const shorthands: Readonly<Record<string, string>> = { proxy: 'type', router: 'sort' };
  return Object.entries(members).flatMap(([name, value]) => {
    const inner =
      typeof value === 'string' && shorthands[name] !== undefined ? { [shorthands[name]]: value } : value;
    return ['scraper_options', 'router', 'proxy'].includes(name) && isObject(inner)
      ? Object.entries(inner).map(([member, its]) => [`/${name}/${member}`, its as Json] as const)
      : [[`/${name}`, value] as const];
  });
}
