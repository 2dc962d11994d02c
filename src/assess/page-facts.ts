import { detectCharset } from '../content/charset/charset.ts';
import { toUtf8 } from '../content/charset/decode-content.ts';
import type { MimeType } from '../content/charset/mime-type.ts';
import { INSPECTED_BYTES } from './content-check.ts';
import { HtmlScanner } from './html-scanner.ts';
import {
  MAX_REDIRECT_SCRIPT_LENGTH,
  type PageRedirect,
  refreshUrl,
  scriptRedirectUrl,
} from './page-redirects.ts';

/** How much of the end of a long page is inspected. */
const TAIL_BYTES = 100 * 1024;

/** The source of a page; of a long page only its beginning and its end. */
function decodeSource(body: Uint8Array, mime: MimeType, cut: boolean): string {
  if (body.length <= INSPECTED_BYTES) return decode(body, mime, cut);
  const head = decode(body.subarray(0, INSPECTED_BYTES - TAIL_BYTES), mime, /* cut */ true);
  return `${head}\n${asBuffer(body.subarray(-TAIL_BYTES)).toString('latin1')}`;
}

function decode(body: Uint8Array, mime: MimeType, cut: boolean): string {
  const { name } = detectCharset(body, mime.kind, mime.charsetLabel, cut);
  return asBuffer(toUtf8(body, name, cut).bytes).toString('utf8');
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The character references that occur in the phrases of rules. */
const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  '#160': ' ',
  amp: '&',
  '#39': "'",
  '#x27': "'",
  apos: "'",
  rsquo: '’',
  quot: '"',
  lt: '<',
  gt: '>',
};

const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(#?\w{2,5});/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    : text;

/** White space that must be replaced. Single spaces do not match, because most white space is that. */
const COLLAPSIBLE_SPACE = /\s{2,}|[^\S ]/g;

const collapseSpaces = (text: string): string =>
  decodeEntities(text).replaceAll(COLLAPSIBLE_SPACE, ' ').trim();

/** The facts about a page that rules and the shell check use. */
export interface JudgedPage {
  /** The source; of a long page only its beginning and its end. */
  readonly html: string;
  /** The visible text, with white space collapsed. */
  readonly text: string;
  readonly title: string;
  /** The text in `noscript` elements. */
  readonly noscript: string;
  /** The source of the inline scripts. */
  readonly inline: string;
  /** Number of scripts, inline and loaded. */
  readonly scripts: number;
  readonly links: number;
  /** Number of paragraphs, list items, cells and headings. */
  readonly blocks: number;
  /** Number of fields that a person can fill in, without buttons and hidden fields. */
  readonly fields: number;
  /** Whether there is a password field. */
  readonly password: boolean;
  /** Number of pictures, videos, frames and drawings. */
  readonly media: number;
  /** The element that scripts fill with the page (mount point); `none`: there is no such element. */
  readonly mount: 'none' | 'filled' | 'empty';
  readonly redirect: PageRedirect | null;
}

/** Parsed as XML, in which every element may be self-closing. */
export const XHTML = 'application/xhtml+xml';

const MAX_TEXT_LENGTH = 100 * 1024;
const MAX_TITLE_LENGTH = 300;
const MAX_NOSCRIPT_LENGTH = 4000;
/** How many scripts are searched for redirects. */
const MAX_REDIRECT_SCRIPTS = 50;
const MAX_INLINE_LENGTH = 64 * 1024;
const PASSWORD_TYPE = /\btype\s{0,3}=\s{0,3}["']?password/i;
/** A `script` element with data or a template. */
const DATA_SCRIPT = /\btype\s{0,3}=\s{0,3}["']?(?:application\/(?:ld\+)?json|text\/template)/i;
const REFRESH = /http-equiv\s{0,3}=\s{0,3}["']?refresh/i;
const CONTENT = /\bcontent\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))/i;
const ON_LOAD = /\bonload\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))/i;
/** Ids of mount points in common frameworks. */
const MOUNT_IDS =
  /\bid\s{0,3}=\s{0,3}["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|react-root|main-app|app-root|ember-app|mount|single-spa-application)(?:["'\s/>]|$)/i;
/** A field in which a captcha script stores its result; people do not fill it in. */
const CAPTCHA_RESULT = /captcha-response/i;
/** Types of `input` that nobody fills in with text. */
const NOT_A_TEXT_FIELD = /\btype\s{0,3}=\s{0,3}["']?(?:hidden|submit|button|image|reset|checkbox|radio)/i;

/** Collects the facts about a page. Of a text without markup these are only `html` and `text`. */
export function inspectPage(
  body: Uint8Array,
  mime: MimeType,
  { cut }: { readonly cut: boolean },
): JudgedPage {
  const html = decodeSource(body, mime, cut);
  if (mime.kind === 'html') return inspectHtml(html, mime.essence === XHTML);
  return { ...EMPTY_PAGE, html, text: collapseSpaces(html.slice(0, MAX_TEXT_LENGTH)) };
}

/** Elements whose attributes are read. */
const NAMES_READ: ReadonlySet<string> = new Set(['input', 'textarea', 'meta', 'body', 'script']);

/** Needs one pass, in linear time. */
function inspectHtml(html: string, xhtml: boolean): JudgedPage {
  const scanner = new HtmlScanner(html, xhtml);
  const hasMountId = MOUNT_IDS.test(html);
  let [text, title, noscript, inline, onLoad] = ['', '', '', '', ''];
  let [scripts, links, blocks, fields, media] = [0, 0, 0, 0, 0];
  let password = false;
  let refresh: PageRedirect | null = null;
  const shortScripts: string[] = [];
  let mount: JudgedPage['mount'] = 'none';
  /** The last tag was the start tag of a mount point, and no content has followed yet. */
  let mountOpen = false;
  while (scanner.next()) {
    const { tag, open, close, end } = scanner;
    const { name } = tag;
    if (open > scanner.textStart) {
      const textBefore = html.slice(scanner.textStart, open);
      text += textBefore;
      if (mountOpen && /\S/.test(textBefore)) mountOpen = false;
    }
    if (name === '!--') continue;
    if (mountOpen && scanner.isEndTag) mount = 'empty';
    mountOpen = false;
    // A raw element adds only one space, at its end tag.
    if (!tag.inline && (!tag.raw || scanner.isEndTag)) text += ' ';
    if (scanner.isEndTag) continue;
    if (tag.block) blocks++;
    if (tag.media) media++;
    const attributes = NAMES_READ.has(name) || hasMountId ? html.slice(open, close) : '';
    const inside = tag.raw ? html.slice(close + 1, end) : '';
    switch (name) {
      case 'a':
        links++;
        break;
      case 'select':
        fields++;
        break;
      case 'input':
        if (!NOT_A_TEXT_FIELD.test(attributes)) fields++;
        if (PASSWORD_TYPE.test(attributes)) password = true;
        break;
      case 'textarea':
        if (!CAPTCHA_RESULT.test(attributes)) fields++;
        break;
      case 'meta':
        refresh ??= refreshOf(attributes);
        break;
      case 'body':
        if (onLoad === '') onLoad = valueIn(ON_LOAD, attributes) ?? '';
        break;
      case 'title':
        if (title === '') title = collapseSpaces(inside.slice(0, MAX_TITLE_LENGTH));
        break;
      case 'noscript':
        noscript += ` ${inside.slice(0, MAX_NOSCRIPT_LENGTH)}`;
        break;
      case 'script':
        if (inline.length < MAX_INLINE_LENGTH) inline += `${inside}\n`;
        if (DATA_SCRIPT.test(attributes)) break;
        scripts++;
        if (
          inside !== '' &&
          inside.length <= MAX_REDIRECT_SCRIPT_LENGTH &&
          shortScripts.length < MAX_REDIRECT_SCRIPTS
        )
          shortScripts.push(inside);
        break;
    }
    const isMount = tag.mount || (hasMountId && !tag.inline && !tag.raw && MOUNT_IDS.test(attributes));
    if (isMount && mount !== 'empty') {
      mountOpen = !scanner.isSelfClosing();
      mount = mountOpen ? 'filled' : 'empty';
    }
  }
  return {
    html,
    text: collapseSpaces(text + html.slice(scanner.textStart)),
    title,
    noscript: collapseSpaces(noscript.replaceAll(/<[^<>]{0,1000}>/g, ' ')),
    inline,
    scripts,
    links,
    blocks,
    fields,
    password,
    media,
    mount,
    redirect: refresh ?? redirectOf(onLoad, shortScripts),
  };
}

function valueIn(attribute: RegExp, tag: string): string | null {
  const found = attribute.exec(tag);
  return found === null ? null : decodeEntities(found[1] ?? found[2] ?? found[3]!);
}

function refreshOf(tag: string): PageRedirect | null {
  const to = REFRESH.test(tag) ? refreshUrl(valueIn(CONTENT, tag) ?? '') : null;
  return to === null ? null : { how: 'meta-refresh', to };
}

function redirectOf(onLoad: string, scripts: readonly string[]): PageRedirect | null {
  for (const script of [onLoad, ...scripts]) {
    const to = scriptRedirectUrl(script, onLoad);
    if (to !== undefined) return { how: 'script-redirect', to };
  }
  return null;
}

const EMPTY_PAGE: JudgedPage = {
  html: '',
  text: '',
  title: '',
  noscript: '',
  inline: '',
  scripts: 0,
  links: 0,
  blocks: 0,
  fields: 0,
  password: false,
  media: 0,
  mount: 'none',
  redirect: null,
};
