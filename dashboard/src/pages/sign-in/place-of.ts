import { parseSearch } from '../../app/search-params.ts';

/** Where to go after sign-in. Only paths of the dashboard itself are followed, so that no link leads elsewhere. */
export function placeOf(next: string | undefined): { readonly to: string; readonly search: object } {
  const here = 'http://dashboard.invalid';
  const url = next?.startsWith('/') ? URL.parse(next, here) : null;
  if (url === null || url.origin !== here) return { to: '/', search: {} };
  return { to: url.pathname, search: parseSearch(url.search) };
}
