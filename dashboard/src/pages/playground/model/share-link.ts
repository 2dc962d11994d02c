/** Shared requests are in the fragment of a URL, because browsers do not send it to servers. */

const NAME = 'request=';
/** Length in characters. Some chat and mail programs cut longer links. */
export const LONGEST_LINK = 8_000;

/** The text as base64url (RFC 4648 §5) of its UTF-8 bytes: `request=…`. */
export function sharedFragment(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return NAME + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The request in a fragment (with or without `#`); null if there is none, or it is invalid. */
export function requestOfFragment(fragment: string): string | null {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(NAME)) return null;
  try {
    const binary = atob(text.slice(NAME.length).replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(binary, (char) => char.charCodeAt(0)),
    );
  } catch {
    return null;
  }
}

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
