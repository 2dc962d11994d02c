import type { HeaderList } from '../../domain/fetch-result.ts';

const dispositionOf = (headers: HeaderList): string =>
  headers
    .filter(([name]) => name === 'content-disposition')
    .map(([, value]) => value)
    .join(', ');

/** Whether a browser would save the response (RFC 6266 §4.2: unknown types are treated as `attachment`). */
export function isAttachment(headers: HeaderList): boolean {
  const type = /^\s*([^\s;=]+)\s*(?:;|$)/.exec(dispositionOf(headers))?.[1];
  return type !== undefined && type.toLowerCase() !== 'inline';
}

/** The file name of a response: that of `Content-Disposition`, else the end of the URL. @param url of the response */
export function responseFileName(headers: HeaderList, url: string): string {
  return dispositionFileName(headers) ?? safeFileName(lastSegment(url)) ?? 'download';
}

/** The file name in `Content-Disposition`; null: there is none. */
export const dispositionFileName = (headers: HeaderList): string | null =>
  safeFileName(dispositionName(dispositionOf(headers)) ?? '');

/** A parameter of the header: a name, then a quoted string or a token (RFC 6266 §4.1). */
const PARAMETER = /;\s*(filename\*?)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;]*))/gi;

/** `filename*` counts before `filename` (RFC 6266 §4.3). null: there is none. */
function dispositionName(header: string): string | null {
  let plain: string | null = null;
  for (const [, name, quoted, token = ''] of header.matchAll(PARAMETER)) {
    if (name!.endsWith('*')) {
      const extended = extendedValue(quoted ?? token);
      if (extended !== null) return extended;
    } else plain ??= plainValue(quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1'));
  }
  return plain;
}

/** RFC 8187 §3.2: `UTF-8'en'a%20name`. null: it is none. */
function extendedValue(value: string): string | null {
  const [, charset, encoded] = /^([\w-]+)'[^']*'(.*)$/.exec(value) ?? [];
  if (charset === undefined) return null;
  const bytes = Buffer.from(
    encoded!.replace(/%([0-9a-f]{2})/gi, (_, hex) => byteOf(hex)),
    'latin1',
  );
  return /^utf-?8$/i.test(charset) ? bytes.toString('utf8') : bytes.toString('latin1');
}

const byteOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** Header values are byte strings. Browsers read them as UTF-8 if they are, and undo percent encoding. */
function plainValue(byteString: string): string {
  // The browser has decoded it already.
  if (/[^\x00-\xff]/.test(byteString)) return unescaped(byteString);
  const bytes = Buffer.from(byteString, 'latin1');
  const utf8 = bytes.toString('utf8');
  return unescaped(utf8.includes('\ufffd') ? byteString : utf8);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function lastSegment(url: string): string {
  const { pathname = '', protocol } = URL.parse(url) ?? {};
  return protocol === 'http:' || protocol === 'https:' ? unescaped(pathname.split('/').at(-1)!) : '';
}

/** Long enough for every ordinary name; file systems allow 255 bytes. */
const MAX_LENGTH = 120;
/** What file systems reserve, controls, and marks that change the direction of text: `gpj.exe` could look like `exe.jpg`. */
const UNSAFE = /[:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
/** Hidden files, and what Windows ignores at the end. */
const EDGES = /^[.\s]+|[.\s]+$/g;

/** A name, without its folders, that is safe as a file name on every system; null: nothing is left of it. */
export function safeFileName(text: string): string | null {
  const name = text.normalize('NFC').split(/[/\\]/).at(-1)!.replace(UNSAFE, '_').replace(EDGES, '');
  const characters = [...name];
  if (characters.length <= MAX_LENGTH) return name === '' ? null : name;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? '';
  const beginning = characters.slice(0, MAX_LENGTH - ending.length).join('');
  return (beginning + ending).replace(EDGES, '');
}
