import { detectCharset } from '../content/charset.ts';
import { toUtf8 } from '../content/decode-content.ts';
import type { MimeType } from '../content/mime-type.ts';
import { INSPECTED_BYTES } from './content-check.ts';
import { HtmlScanner } from './html-scanner.ts';
import {
  MAX_REDIRECT_SCRIPT_LENGTH,
  type PageRedirect,
  refreshUrl,
  scriptRedirectUrl,
} from './page-redirects.ts';

const TAIL_BYTES = 100 * 1024;

/** The text of a page as far as it is looked at: of a long one its beginning and its end. */
function decodeSource(body: Uint8Array, mime: MimeType, cut: boolean): string {
  if (body.length <= INSPECTED_BYTES) return decode(body, mime, cut);
  const head = decode(body.subarray(0, INSPECTED_BYTES - TAIL_BYTES), mime, true);
  return `${head}\n${asBuffer(body.subarray(-TAIL_BYTES)).toString('latin1')}`;
}

function decode(body: Uint8Array, mime: MimeType, cut: boolean): string {
  const { name } = detectCharset(body, mime.kind, mime.charsetLabel, cut);
  return asBuffer(toUtf8(body, name, cut).bytes).toString('utf8');
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

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

/** More than one, or another one than the plain space, which most are. */
const UNTIDY = /\s{2,}|[^\S ]/g;

const collapseSpaces = (text: string): string => decodeEntities(text).replaceAll(UNTIDY, ' ').trim();

/** What rules look at. */
export interface JudgedPage {
  /** The source, of a long page its beginning and its end. */
  readonly html: string;
  /** What is shown, spaces collapsed. */
  readonly text: string;
  readonly title: string;
  /** What is shown when scripts do not run. */
  readonly noscript: string;
  /** The scripts that stand in the page, without those that it loads. */
  readonly inline: string;
  readonly scripts: number;
  readonly links: number;
  /** Paragraphs, list items, cells, headings. */
  readonly blocks: number;
  /** Fields that a person can fill in: no buttons, nothing hidden. */
  readonly fields: number;
  readonly password: boolean;
  /** Pictures, films, frames, drawings. */
  readonly media: number;
  /** The element that scripts fill with the page: there is none, it has content, it is empty. */
  readonly mount: 'none' | 'filled' | 'empty';
  readonly redirect: PageRedirect | null;
}

/** Read as XML, in which any element may close itself. */
export const XHTML = 'application/xhtml+xml';

const LONGEST_TEXT = 100 * 1024;
const LONGEST_TITLE = 300;
const LONGEST_NOSCRIPT = 4000;
/** So many scripts are searched for redirects. */
const MAX_REDIRECT_SCRIPTS = 50;
const LONGEST_SCRIPTS = 64 * 1024;
const PASSWORD = /\btype\s{0,3}=\s{0,3}["']?password/i;
const NO_SCRIPT = /\btype\s{0,3}=\s{0,3}["']?(?:application\/(?:ld\+)?json|text\/template)/i;
const REFRESH = /http-equiv\s{0,3}=\s{0,3}["']?refresh/i;
const CONTENT = /\bcontent\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))/i;
const ON_LOAD = /\bonload\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))/i;
const MOUNT_IDS =
  /\bid\s{0,3}=\s{0,3}["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|react-root|main-app|app-root|ember-app|mount|single-spa-application)(?:["'\s/>]|$)/i;
/** Captchas keep their answer in such a field: nobody fills it in. */
const CAPTCHA_ANSWER = /captcha-response/i;
const NO_FIELD = /\btype\s{0,3}=\s{0,3}["']?(?:hidden|submit|button|image|reset|checkbox|radio)/i;

export function inspectPage(body: Uint8Array, mime: MimeType, cut: boolean): JudgedPage {
  const html = decodeSource(body, mime, cut);
  if (mime.kind === 'html') return inspectHtml(html, mime.essence === XHTML);
  return { ...EMPTY_PAGE, html, text: collapseSpaces(html.slice(0, LONGEST_TEXT)) };
}

/** In one pass, linear in the length of the page. */
function inspectHtml(html: string, xhtml: boolean): JudgedPage {
  const scanner = new HtmlScanner(html, xhtml);
  const hasMountId = MOUNT_IDS.test(html);
  let [text, title, noscript, inline, onLoad] = ['', '', '', '', ''];
  let [scripts, links, blocks, fields, media] = [0, 0, 0, 0, 0];
  let password = false;
  let refresh: PageRedirect | null = null;
  const shortScripts: string[] = [];
  let mount: JudgedPage['mount'] = 'none';
  /** A mount has mountOpen, and nothing stands in it so far. */
  let mountOpen = false;
  while (scanner.next()) {
    const { tag, open, close, end } = scanner;
    const { name } = tag;
    if (open > scanner.textStart) {
      const shown = html.slice(scanner.textStart, open);
      text += shown;
      if (mountOpen && /\S/.test(shown)) mountOpen = false;
    }
    if (name === '!--') continue;
    if (mountOpen && scanner.isEndTag) mount = 'empty';
    mountOpen = false;
    // Of raw elements the end tag does.
    if (!tag.inline && (!tag.raw || scanner.isEndTag)) text += ' ';
    if (scanner.isEndTag) continue;
    if (tag.block) blocks++;
    if (tag.media) media++;
    const attributes = html.slice(open, close);
    const inside = tag.raw ? html.slice(close + 1, end) : '';
    switch (name) {
      case 'a':
        links++;
        break;
      case 'select':
        fields++;
        break;
      case 'input':
        if (!NO_FIELD.test(attributes)) fields++;
        if (PASSWORD.test(attributes)) password = true;
        break;
      case 'textarea':
        if (!CAPTCHA_ANSWER.test(attributes)) fields++;
        break;
      case 'meta':
        refresh ??= refreshOf(attributes);
        break;
      case 'body':
        if (onLoad === '') onLoad = valueIn(ON_LOAD, attributes) ?? '';
        break;
      case 'title':
        if (title === '') title = collapseSpaces(inside.slice(0, LONGEST_TITLE));
        break;
      case 'noscript':
        noscript += ` ${inside.slice(0, LONGEST_NOSCRIPT)}`;
        break;
      case 'script':
        if (inline.length < LONGEST_SCRIPTS) inline += `${inside}\n`;
        if (NO_SCRIPT.test(attributes)) break;
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
