/** A request in the fragment of an address: it never leaves the browser by itself. */

const NAME = 'request=';
/** Beyond it, some chat and mail programs cut links. */
export const LONGEST_LINK = 8_000;

export function sharedFragment(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return NAME + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The request of such a fragment (with or without `#`); null when there is none, or it is broken. */
export function requestOfFragment(fragment: string): string | null {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(NAME)) return null;
  try {
    const binary = atob(text.slice(NAME.length).replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(binary, (one) => one.charCodeAt(0)),
    );
  } catch {
    return null;
  }
}

/** `example.com` as `https://example.com`; what has a scheme as it is. */
export function withScheme(url: string): string {
  const text = url.trim();
  // What a colon and digits follow is a host with a port.
  if (text === '' || /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text)) return url;
  return `https:${text.startsWith('//') ? '' : '//'}${text}`;
}
