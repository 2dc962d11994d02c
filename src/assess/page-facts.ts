import { charsetOf } from '../content/charset.ts';
import { toUtf8 } from '../content/decode-text.ts';
import type { Mime } from '../content/mime.ts';
import { isLetter, rawEnd, tagEnd } from './raw-element.ts';
import { LOOKED_AT_BYTES } from './says-enough.ts';
import { tagAt } from './tag.ts';

/** What the rules ask of a page. */
export interface PageFacts {
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
  /** To fill in: no buttons, nothing hidden. */
  readonly fields: number;
  readonly password: boolean;
  /** Pictures, films, frames, drawings. */
  readonly media: number;
  /** Where a script is used to put a page: none, there, there without anything in it. */
  readonly mount: 'none' | 'filled' | 'empty';
  /** The page sends on to another one by itself. */
  readonly refresh: boolean;
}

const TAIL_BYTES = 100 * 1024;
const LONGEST_SCRIPTS = 64 * 1024;
const MOUNT_IDS =
  /\bid\s{0,3}=\s{0,3}["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|react-root|main-app|app-root|ember-app|mount|single-spa-application)(?:["'\s/>]|$)/i;
const PASSWORD = /\btype\s{0,3}=\s{0,3}["']?password/i;
const NO_SCRIPT = /\btype\s{0,3}=\s{0,3}["']?(?:application\/(?:ld\+)?json|text\/template)/i;
const REFRESH = /http-equiv\s{0,3}=\s{0,3}["']?refresh/i;
const REFRESH_URL = /url\s{0,3}=/i;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const NO_FIELD = /\btype\s{0,3}=\s{0,3}["']?(?:hidden|submit|button|image|reset|checkbox|radio)/i;

/** The text of a page as far as it is looked at. */
function sourceOf(body: Uint8Array, mime: Mime, cut: boolean): string {
  const decoded = (bytes: Uint8Array, partly: boolean) => {
    const { name } = charsetOf(bytes, mime.kind, mime.charsetLabel, partly);
    const { buffer, byteOffset, byteLength } = toUtf8(bytes, name, partly).bytes;
    return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  };
  if (body.length <= LOOKED_AT_BYTES) return decoded(body, cut);
  const head = decoded(body.slice(0, LOOKED_AT_BYTES - TAIL_BYTES), true);
  return `${head}\n${Buffer.from(body.slice(-TAIL_BYTES)).toString('latin1')}`;
}

/** One pass over the page, linear in its length. */
export function readFacts(body: Uint8Array, mime: Mime, cut: boolean): PageFacts {
  const html = sourceOf(body, mime, cut);
  if (mime.kind !== 'html') return { ...NOTHING, html, text: collapsed(html.slice(0, TAIL_BYTES)) };
  let [text, title, noscript, inline] = ['', '', '', ''];
  let [scripts, links, blocks, fields, media] = [0, 0, 0, 0, 0];
  let [password, refresh] = [false, false];
  let mount: PageFacts['mount'] = 'none';
  /** Nearly no page has one: looked for once, and not in every tag. */
  const mounts = MOUNT_IDS.test(html);
  /** A mount has opened, and nothing has come since. */
  let opened = false;
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    const until = open === -1 ? html.length : open;
    if (until > at) {
      const shown = html.slice(at, until);
      text += shown;
      opened &&= shown.trim() === '';
    }
    if (open === -1) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    const initial = html.charCodeAt(open + 1);
    const closes = initial === SLASH;
    if (!isLetter(initial) && !closes && initial !== BANG && initial !== QUESTION) {
      text += '<';
      at = open + 1;
      continue;
    }
    const end = tagEnd(html, open);
    const tag = tagAt(html, closes ? open + 2 : open + 1);
    const { name } = tag;
    at = end + 1;
    if (opened && closes) mount = 'empty';
    opened = false;
    if (closes) {
      if (!tag.inline) text += ' ';
      continue;
    }
    if (tag.raw) {
      const close = rawEnd(html, name, at);
      const inside = html.slice(at, close);
      if (name === 'title') {
        if (title === '') title = collapsed(inside.slice(0, 300));
      } else if (name === 'noscript') noscript += ` ${inside.slice(0, 4000)}`;
      else if (name === 'script') {
        if (!NO_SCRIPT.test(html.slice(open, end))) scripts++;
        if (inline.length < LONGEST_SCRIPTS) inline += `${inside}\n`;
      } else if (name === 'textarea') fields++;
      if (tag.media) media++;
      at = close;
      continue;
    }
    if (!tag.inline) text += ' ';
    if (name === 'a') links++;
    else if (name === 'input') {
      const source = html.slice(open, end);
      if (!NO_FIELD.test(source)) fields++;
      if (PASSWORD.test(source)) password = true;
    } else if (name === 'select') fields++;
    else if (name === 'meta' && !refresh) {
      const source = html.slice(open, end);
      refresh = REFRESH.test(source) && REFRESH_URL.test(source);
    }
    if (tag.block) blocks++;
    if (tag.media) media++;
    if (
      mount !== 'empty' &&
      (tag.mount || (mounts && !tag.inline && MOUNT_IDS.test(html.slice(open, end))))
    ) {
      mount = 'filled';
      opened = true;
    }
  }
  return {
    html,
    text: collapsed(text),
    title: entities(title),
    noscript: noscript === '' ? '' : collapsed(noscript.replaceAll(/<[^<>]{0,1000}>/g, ' ')),
    inline,
    scripts,
    links,
    blocks,
    fields,
    password,
    media,
    mount,
    refresh,
  };
}

const NOTHING: PageFacts = {
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
  refresh: false,
};

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

const entities = (text: string): string =>
  text.replaceAll(/&(#?\w{2,5});/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);

const collapsed = (text: string): string =>
  // A space alone, which most are, is what it should be.
  (text.includes('&') ? entities(text) : text).replaceAll(/\s{2,}|[^\S ]/g, ' ').trim();
