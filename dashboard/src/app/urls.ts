/**
 * The state of lists and forms in the URL: plain `?name=value`, a list as a repeated name, and readers for the
 * `validateSearch` of a route. A value that a reader does not know is as if it were not there.
 */

type Raw = Record<string, string | string[]>;
type Search = Readonly<Record<string, unknown>>;

/** For the router: `?a=1&a=2&b=3` to `{a: ['1', '2'], b: '3'}`. */
export function parseSearch(text: string): Raw {
  const found: Raw = Object.create(null) as Raw;
  for (const [name, value] of new URLSearchParams(text)) {
    const known = found[name];
    found[name] = known === undefined ? value : [...[known].flat(), value];
  }
  return { ...found };
}

/** And back; null, undefined, empty texts and empty lists leave no trace. */
export function stringifySearch(search: Search): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) {
      if (one !== null && one !== undefined && one !== '') params.append(name, String(one));
    }
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

const last = (value: unknown): string | undefined => {
  const one = Array.isArray(value) ? value.at(-1) : value;
  return one === undefined || one === null || one === '' ? undefined : String(one);
};

export const textIn = (search: Search, name: string): string | undefined => last(search[name]);

export function oneOfIn<One extends string>(
  search: Search,
  name: string,
  allowed: readonly One[],
): One | undefined {
  const text = last(search[name]);
  return allowed.find((one) => one === text);
}

export function listIn(search: Search, name: string): string[] | undefined {
  const found = [search[name]].flat().flatMap((one) => (typeof one === 'string' && one !== '' ? [one] : []));
  return found.length === 0 ? undefined : found;
}

export function integerIn(search: Search, name: string, least: number, most: number): number | undefined {
  const text = last(search[name]);
  if (text === undefined || !/^-?\d{1,15}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= most ? number : undefined;
}

/** The way to sign-in and from there back. What stands behind `#` stays there: it may be a request with secrets. */
export function signInLink({ href, hash }: { readonly href: string; readonly hash: string }) {
  const [place = '/'] = href.split('#', 1);
  return { to: '/sign-in', search: { next: place === '/' ? undefined : place }, hash } as const;
}

/** Where to go after sign-in. Only paths of the dashboard itself are followed, so that no link leads elsewhere. */
export function redirectTarget(next: string | undefined): { readonly to: string; readonly search: object } {
  const here = 'http://dashboard.invalid';
  const url = next?.startsWith('/') ? URL.parse(next, here) : null;
  if (url === null || url.origin !== here) return { to: '/', search: {} };
  return { to: url.pathname, search: parseSearch(url.search) };
}
