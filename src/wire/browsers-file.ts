import { type Static, Type } from 'typebox';
import { BROWSER_TYPES } from '../domain/browser-options.ts';
import { closed } from '../domain/json-schema.ts';
import { REMOTE_KINDS, REMOTE_NETWORKS, type RemoteBrowser } from '../domain/remote-browsers.ts';
import { addProblem, type Problems } from './schema/problems.ts';
import { parseSettingsText, withoutValues } from './schema/settings-text.ts';
import { checker } from './schema/validation.ts';

/** Types that remote browsers can have: those that the Chrome DevTools Protocol controls. */
const REMOTE_TYPES = BROWSER_TYPES.filter((type) => type !== 'firefox' && type !== 'webkit');
const MAX_BROWSERS = 1_000;

const RemoteBrowserSchema = closed({
  name: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$',
    description: 'letters, digits, `_`, `.`, `-`',
  }),
  kind: Type.Enum([...REMOTE_KINDS]),
  url: Type.String({ minLength: 1, maxLength: 4000 }),
  headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 8000 }), { maxProperties: 50 })),
  slots: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  types: Type.Optional(Type.Array(Type.Enum([...REMOTE_TYPES]), { minItems: 1, maxItems: 3 })),
  network: Type.Optional(Type.Enum([...REMOTE_NETWORKS])),
  allow_unguarded: Type.Optional(Type.Boolean()),
  users: Type.Optional(
    Type.Union([
      Type.Enum(['admins']),
      Type.Array(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 254 }), {
        minItems: 1,
        maxItems: 10_000,
      }),
    ]),
  ),
  auto: Type.Optional(Type.Boolean()),
});
type RemoteBrowserJson = Static<typeof RemoteBrowserSchema>;

type ParsedBrowsers =
  | { readonly settings: readonly RemoteBrowser[]; readonly problems: null }
  /** Each is one line without credentials. */
  | { readonly settings: null; readonly problems: readonly string[] };

const checkBrowser = checker(RemoteBrowserSchema);
const DEFAULT_SLOTS = 4;

/**
 * Parses the file of remote browsers (YAML or JSON). If it has problems, none of its browsers are returned. Never throws.
 * @param hasGuard whether `SLUICE_GUARD_URL` is set, which browsers with `network: proxied` need
 */
export function readBrowsers(text: string, hasGuard: boolean): ParsedBrowsers {
  const problems: string[] = [];
  const list = parseSettingsText(text, problems);
  if (problems.length > 0) return { settings: null, problems };
  if (!Array.isArray(list)) return { settings: null, problems: ['must be a list of browsers'] };
  if (list.length > MAX_BROWSERS)
    return { settings: null, problems: [`must have at most ${MAX_BROWSERS} browsers`] };
  const browsers: RemoteBrowser[] = [];
  const names = new Set<string>();
  list.forEach((json: unknown, index) => {
    const found: Problems = [];
    const pointer = `/${index}`;
    if (checkBrowser(json, pointer, found)) {
      const browser = json as RemoteBrowserJson;
      if (names.has(browser.name))
        addProblem(found, `${pointer}/name`, 'is already the name of another browser');
      names.add(browser.name);
      checkUrl(browser, pointer, found);
      checkHeaders(browser, pointer, found);
      checkNetwork(browser, pointer, found, hasGuard);
      browsers.push(toRemoteBrowser(browser));
    }
    problems.push(...found.map(({ message }) => withoutValues(message)));
  });
  return problems.length > 0 ? { settings: null, problems } : { settings: browsers, problems: null };
}

const SCHEMES = { cdp: ['http:', 'https:', 'ws:', 'wss:'], playwright: ['ws:', 'wss:'] } as const;

function checkUrl({ kind, url }: RemoteBrowserJson, pointer: string, problems: Problems): void {
  const schemes: readonly string[] = SCHEMES[kind];
  const parsed = URL.parse(url);
  if (parsed !== null && (parsed.username !== '' || parsed.password !== ''))
    addProblem(problems, `${pointer}/url`, 'must not have a user or password: use `headers`');
  if (schemes.includes(parsed?.protocol ?? '')) return;
  const list = schemes.map((scheme) => `${scheme}//`).join(', ');
  addProblem(problems, `${pointer}/url`, `must be a URL that begins with one of ${list}`);
}

/** Names are tokens, and values have no line breaks (RFC 9110 §5.1, §5.5). */
function checkHeaders({ headers = {} }: RemoteBrowserJson, pointer: string, problems: Problems): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
      addProblem(problems, `${pointer}/headers`, 'has a name that is not one of an HTTP header');
    else if (!/^[\t\x20-\x7e]*$/.test(value))
      addProblem(problems, `${pointer}/headers/${name}`, 'must be visible ASCII characters');
  }
}

function checkNetwork(
  { network = 'proxied', allow_unguarded, users }: RemoteBrowserJson,
  pointer: string,
  problems: Problems,
  hasGuard: boolean,
): void {
  if (network === 'proxied') {
    if (allow_unguarded !== undefined)
      addProblem(problems, `${pointer}/allow_unguarded`, 'is only for `network: direct`');
    if (!hasGuard) addProblem(problems, pointer, 'needs SLUICE_GUARD_URL, because its network is `proxied`');
    return;
  }
  if (allow_unguarded !== true)
    addProblem(
      problems,
      `${pointer}/allow_unguarded`,
      'must be true for `network: direct`: pages in this browser can reach what its machine can reach',
    );
  if (users === undefined)
    addProblem(
      problems,
      `${pointer}/users`,
      'is needed for `network: direct`: "admins", or e-mail addresses',
    );
}

function toRemoteBrowser(json: RemoteBrowserJson): RemoteBrowser {
  const { name, kind, url, headers = {}, slots = DEFAULT_SLOTS, types = ['chromium'], users } = json;
  const network = json.network ?? 'proxied';
  return {
    name,
    kind,
    url,
    headers,
    slots,
    types,
    network,
    users:
      users === undefined ? 'all' : users === 'admins' ? users : users.map((email) => email.toLowerCase()),
    auto: json.auto ?? network === 'proxied',
  };
}
