/**
 * The state of lists and forms in the URL: plain `?name=value`, with repeated names for lists; and readers for the
 * `validateSearch` of a route. Readers ignore unknown values.
 */

type Raw = Record<string, string | string[]>;
type Search = Readonly<Record<string, unknown>>;

/** For the router: `?a=1&a=2&b=3` → `{a: ['1', '2'], b: '3'}`. */
export function parseSearch(text: string): Raw {
  // Without a prototype, because a parameter may be named `__proto__`.
  const found: Raw = Object.create(null) as Raw;
  for (const [name, value] of new URLSearchParams(text)) {
    const previous = found[name];
    found[name] = previous === undefined ? value : [...[previous].flat(), value];
  }
  return { ...found };
}

/** The inverse. Leaves out null, undefined, empty texts and empty lists. */
export function stringifySearch(search: Search): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const item of [value].flat()) {
      if (item !== null && item !== undefined && item !== '') params.append(name, String(item));
    }
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

const lastValue = (values: unknown): string | undefined => {
  const value = Array.isArray(values) ? values.at(-1) : values;
  return value === undefined || value === null || value === '' ? undefined : String(value);
};

export const textIn = (search: Search, name: string): string | undefined => lastValue(search[name]);

export function oneOfIn<Value extends string>(
  search: Search,
  name: string,
  allowed: readonly Value[],
): Value | undefined {
  const text = lastValue(search[name]);
  return allowed.find((value) => value === text);
}

export function listIn(search: Search, name: string): string[] | undefined {
  const values = [search[name]]
    .flat()
    .flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []));
  return values.length === 0 ? undefined : values;
}

export function integerIn(search: Search, name: string, min: number, max: number): number | undefined {
  const text = lastValue(search[name]);
  if (text === undefined || !/^-?\d{1,15}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= min && number <= max ? number : undefined;
}

/** A link to sign-in that leads back. The fragment stays in the fragment, because it may contain secrets. */
export function signInLink({ href, hash }: { readonly href: string; readonly hash: string }) {
  const [path = '/'] = href.split('#', 1);
  return { to: '/sign-in', search: { next: path === '/' ? undefined : path }, hash } as const;
}

/** Where to go after sign-in. Only paths of the dashboard are accepted, so that no link can lead to another site. */
export function redirectTarget(next: string | undefined): { readonly to: string; readonly search: object } {
  const ownOrigin = 'http://dashboard.invalid';
  const url = next?.startsWith('/') ? URL.parse(next, ownOrigin) : null;
  if (url === null || url.origin !== ownOrigin) return { to: '/', search: {} };
  return { to: url.pathname, search: parseSearch(url.search) };
}
