import { parseSearch } from './search-params.ts';

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
