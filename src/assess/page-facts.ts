import type { Mime } from '../content/mime.ts';
import { type LeadsOn, LONGEST_LEADING_SCRIPT, refreshUrl, scriptLeadsTo } from './leads-on.ts';
import { type PageSource, part, sourceOf } from './page-source.ts';
import { afterComment, insideEnd } from './raw-element.ts';
import { collapsed, entities, ShownText } from './shown-text.ts';
import { isLetter, tagAt } from './tag.ts';
import { MOUNT_IDS, selfCloses, tagEndNoticing } from './tag-end.ts';

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
  readonly leadsOn: LeadsOn | null;
}

/** Read as XML, in which any tag may close itself. */
export const XHTML = 'application/xhtml+xml';

const LONGEST_TEXT = 100 * 1024;
const LONGEST_TITLE = 300;
const LONGEST_NOSCRIPT = 4000;
/** Scripts that are looked at for whether they lead elsewhere. */
const MOST_LEADING = 50;
const LONGEST_SCRIPTS = 64 * 1024;
/** UTF-8 of one unit of a string. */
const MOST_BYTES = 4;
const PASSWORD = /\btype\s{0,3}=\s{0,3}["']?password/i;
const NO_SCRIPT = /\btype\s{0,3}=\s{0,3}["']?(?:application\/(?:ld\+)?json|text\/template)/i;
const REFRESH = /http-equiv\s{0,3}=\s{0,3}["']?refresh/i;
const CONTENT = /\bcontent\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))/i;
const ON_LOAD = /\bonload\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))/i;
/** Its inside is shown. */
const SHADOW_ROOT = /\sshadowrootmode\s{0,3}=/i;
const SLASH = 0x2f;
const BANG = 0x21;
const DASH = 0x2d;
const QUESTION = 0x3f;
/** The scripts of captchas put it beside their box, for the answer: nobody fills it in. */
const CAPTCHA_ANSWER = /captcha-response/i;
const NO_FIELD = /\btype\s{0,3}=\s{0,3}["']?(?:hidden|submit|button|image|reset|checkbox|radio)/i;

export function readFacts(body: Uint8Array, mime: Mime, cut: boolean): PageFacts {
  return factsOf(sourceOf(body, mime, cut), mime);
}

export function factsOf(source: PageSource, { kind, essence }: Mime): PageFacts {
  if (kind === 'html') return factsOfHtml(source, essence === XHTML);
  const { html } = source;
  return { ...NOTHING, html, text: collapsed(html.slice(0, LONGEST_TEXT)) };
}

/** One pass over the bytes of the page, linear in its length: they are read several times as fast as letters of a string. */
function factsOfHtml(source: PageSource, xhtml: boolean): PageFacts {
  const { html, bytes } = source;
  const { length } = bytes;
  const shown = new ShownText(length);
  const noticed = { mount: false };
  let [title, noscript, inline] = ['', '', ''];
  let [scripts, links, blocks, fields, media] = [0, 0, 0, 0, 0];
  let password = false;
  let refresh: LeadsOn | null = null;
  let onLoad = '';
  const leading: string[] = [];
  let mount: PageFacts['mount'] = 'none';
  /** A mount has opened, and nothing has come since. */
  let opened = false;
  for (let at = 0; at < length; ) {
    const before = shown.size;
    const open = shown.untilTag(bytes, at);
    if (shown.size > before) opened = false;
    if (open === length) break;
    const initial = bytes[open + 1]!;
    if (initial === BANG && bytes[open + 2] === DASH && bytes[open + 3] === DASH) {
      at = afterComment(bytes, open + 4);
      continue;
    }
    const closes = initial === SLASH;
    if (!isLetter(initial) && !closes && initial !== BANG && initial !== QUESTION) {
      shown.lessThan();
      at = open + 1;
      continue;
    }
    const tag = tagAt(bytes, closes ? open + 2 : open + 1);
    const { name } = tag;
    // The letters of a known name end no tag.
    noticed.mount = false;
    const end = tagEndNoticing(bytes, open + tag.length, noticed);
    at = end + 1;
    if (opened && closes) mount = 'empty';
    opened = false;
    if (closes) {
      if (!tag.inline) shown.space();
      continue;
    }
    if (tag.raw && !(name === 'template' && SHADOW_ROOT.test(part(source, open, end)))) {
      const close = insideEnd(bytes, tag, open, end, xhtml);
      const inside = (most: number) =>
        part(source, at, Math.min(close, at + most * MOST_BYTES)).slice(0, most);
      if (name === 'title') {
        if (title === '') title = collapsed(inside(LONGEST_TITLE));
      } else if (name === 'noscript') noscript += ` ${inside(LONGEST_NOSCRIPT)}`;
      else if (name === 'script') {
        const isScript = !NO_SCRIPT.test(part(source, open, end));
        if (isScript) scripts++;
        if (isScript && close > at && close - at <= LONGEST_LEADING_SCRIPT && leading.length < MOST_LEADING)
          leading.push(part(source, at, close));
        if (inline.length < LONGEST_SCRIPTS) inline += `${part(source, at, close)}\n`;
      } else if (name === 'textarea' && !CAPTCHA_ANSWER.test(part(source, open, end))) fields++;
      if (tag.media) media++;
      at = close;
      continue;
    }
    if (!tag.inline) shown.space();
    if (name === 'a') links++;
    else if (name === 'input') {
      const tagText = part(source, open, end);
      if (!NO_FIELD.test(tagText)) fields++;
      if (PASSWORD.test(tagText)) password = true;
    } else if (name === 'select') fields++;
    else if (name === 'meta') refresh ??= refreshOf(part(source, open, end));
    else if (name === 'body' && onLoad === '') onLoad = valueIn(ON_LOAD, part(source, open, end)) ?? '';
    if (tag.block) blocks++;
    if (tag.media) media++;
    if (
      mount !== 'empty' &&
      (tag.mount || (!tag.inline && noticed.mount && MOUNT_IDS.test(part(source, open, end))))
    ) {
      // In XML it may be closed by its own tag.
      opened = !xhtml || !selfCloses(bytes, open, end);
      mount = opened ? 'filled' : 'empty';
    }
  }
  return {
    html,
    text: shown.taken(),
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
    leadsOn: refresh ?? redirectOf(onLoad, leading),
  };
}

function valueIn(attribute: RegExp, tag: string): string | null {
  const found = attribute.exec(tag);
  return found === null ? null : entities(found[1] ?? found[2] ?? found[3]!);
}

function refreshOf(tag: string): LeadsOn | null {
  const to = REFRESH.test(tag) ? refreshUrl(valueIn(CONTENT, tag) ?? '') : null;
  return to === null ? null : { how: 'meta-refresh', to };
}

function redirectOf(onLoad: string, scripts: readonly string[]): LeadsOn | null {
  for (const script of [onLoad, ...scripts]) {
    const to = scriptLeadsTo(script, onLoad);
    if (to !== undefined) return { how: 'script-redirect', to };
  }
  return null;
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
  leadsOn: null,
};
