import type { HeaderList } from '../domain/fetch-result.ts';
import { SIGN_IN, SIGN_IN_PATH } from '../domain/sign-in.ts';

/** Bytes at the end of a page that are looked at. */
const END_BYTES = 64 * 1024;
/** A page whose sign-in form is at its start has hardly more. */
const START_BYTES = 512 * 1024;
/** A page with more text is content, although one may sign in there. */
const MAX_SIGN_IN_TEXT = 600;

export interface ReceivedPage {
  readonly bytes: Uint8Array;
  readonly headers: HeaderList;
  /** That was requested. */
  readonly url: string;
}

const isHtml = ({ headers }: ReceivedPage): boolean =>
  /^(?:text\/html|application\/xhtml\+xml)\b/i.test(
    headers.find(([name]) => name === 'content-type')?.[1] ?? '',
  );

const bufferOf = ({ bytes }: ReceivedPage): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Whether HTML ends within a tag, a comment, a script or a style: the page was cut, although its transfer ended as it should, as
 * that of a program does which breaks off.
 */
export function endsWithinMarkup(page: ReceivedPage): boolean {
  if (!isHtml(page)) return false;
  const end = bufferOf(page).subarray(-END_BYTES).toString('latin1').toLowerCase();
  if (end.includes('</html')) return false;
  const isOpen = (from: string, to: string) => end.lastIndexOf(from) > end.lastIndexOf(to);
  return (
    /^<(?:[a-z/!][^>]*)?$/.test(end.slice(end.lastIndexOf('<'))) ||
    isOpen('<!--', '-->') ||
    isOpen('<script', '</script') ||
    isOpen('<style', '</style')
  );
}

/**
 * Whether HTML is a sign-in form and hardly anything else, at the URL of a page that is none. The verdict on a page cannot tell
 * that from a page which is a sign-in form for all; whoever saw the page before can.
 */
export function isSignInForm(page: ReceivedPage): boolean {
  if (!isHtml(page) || SIGN_IN_PATH.test(page.url)) return false;
  const html = bufferOf(page).subarray(0, START_BYTES).toString('utf8');
  if (!/<input[^>]{1,400}type\s?=\s?["']?password/i.test(html)) return false;
  const named = html.match(/<(title|h1|h2|button|legend)\b[^>]{0,400}>[^<]{0,200}/gi) ?? [];
  if (!named.some((text) => SIGN_IN.test(text.slice(text.indexOf('>') + 1)))) return false;
  const text = html
    .replace(/<(script|style|noscript|template)\b[\s\S]*?(?:<\/\1|$)/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return text.length <= MAX_SIGN_IN_TEXT;
}
