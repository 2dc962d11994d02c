import { Type } from 'typebox';
import { notFoundRefusal } from '../core/refusal.ts';

/** The parameter of a path that names a site. */
export const HOST = {
  host: {
    description: 'Host as in the URL, with `:port` unless it is the default port.',
    schema: Type.String(),
  },
};

/** The host as the URL parser normalizes it (letter case, IDN). @throws Refusal if it is not a host */
export function siteOf(host: string): string {
  const url = URL.parse(`http://${host}/`);
  if (url === null || url.pathname !== '/' || url.username !== '') throw notFoundRefusal('site');
  return url.host;
}
