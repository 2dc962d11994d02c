export { requestOfFragment, sharedFragment } from '../../../../../src/snippets/share-link.ts';

/** Length in characters. Some chat and mail programs cut longer links. */
export const LONGEST_LINK = 8_000;

/** Hosts of this machine, whose servers seldom have certificates. */
const OWN_HOST = /^(?:localhost|[^/?#@]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?#]|$)/i;

/** Adds a scheme to a URL without one: `https:`, or `http:` if the host is this machine. */
export function withScheme(url: string): string {
  const text = url.trim();
  // A name followed by a colon and digits is a host with a port, not a scheme.
  if (text === '' || /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text)) return url;
  const rest = text.replace(/^\/\//, '');
  return `${OWN_HOST.test(rest) ? 'http' : 'https'}://${rest}`;
}
