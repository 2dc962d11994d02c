/** Shared requests are in the fragment of a URL, because browsers do not send it to servers. */

const NAME = 'request=';

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
