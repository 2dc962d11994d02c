import type { CdpSession } from '../cdp/cdp-session.ts';
import { orAborted } from './raw-body.ts';

/** How far a document has come that is shown. */
export interface ShownState {
  /** It has no text at all. */
  readonly silent: boolean;
  /** It has scripts, and next to no text yet. */
  readonly bare: boolean;
  /** It shows nothing, has an empty place for what it is for, or says that it is loading. */
  readonly loading: boolean;
  /** All of the source that has come is in it: no script keeps it from being parsed. */
  readonly parsed: boolean;
  /** One of its scripts leads elsewhere when a timer ends that may be set, or when data is there. */
  readonly leads: 'by timer' | 'by data' | null;
  /** Small scripts that it has loaded, where timers may be set. */
  readonly smallScripts: readonly string[];
  /** How long ago it was loaded, in milliseconds; 0: it is not. */
  readonly loadedMs: number;
}

export interface ShownDocument extends ShownState {
  readonly html: string;
  readonly url: string;
  /** `text/html`, or what else the browser made of it. */
  readonly type: string;
  /** The text was longer than asked for. */
  readonly cut: boolean;
  /** Its window is as small as only a hidden frame is. */
  readonly hidden: boolean;
  /** What its relative URLs are resolved against. */
  readonly base: string;
}

/** Fewer letters may be what a page shows until it has what it is for. */
const BARE = 100;
/** A page that shows more is content, whatever part of it is still loading. */
const ENOUGH = 800;
/** A script that is longer does more than to lead to another page. */
const LONGEST_LEADING_SCRIPT = 4_000;
const LEAVES =
  /\blocation\s*(?:\.\s*href\s*)?=(?![=>])|\blocation\s*\.\s*(?:replace|assign|reload)\s*\(|\bnavigation\s*\.\s*(?:navigate|reload)\s*\(|\.\s*submit\s*\(|\bhistory\s*\.\s*(?:go|back)\s*\(/;
const BY_TIMER = /\bset(?:Timeout|Interval)\b/;
const BY_DATA = /\bfetch\b|\bXMLHttpRequest\b/;
/** Of the small ones. */
const MOST_SCRIPTS = 5;
/** Pixels: frames that are hidden, or only count visitors, are smaller. */
const SMALL = 2;

/** The open ones. */
const SHADOW_ROOTS = `(() => {
  const shadowRoots = [];
  const scopes = [document];
  for (const scope of scopes)
    for (const { shadowRoot } of scope.querySelectorAll('*')) {
      if (shadowRoot === null) continue;
      shadowRoots.push(shadowRoot);
      scopes.push(shadowRoot);
    }
  return shadowRoots;
})()`;

/**
 * How many timers scripts of the page have set. Timers have one row of numbers for all worlds of a document: the number of one
 * that is set here, less the count of such looks.
 */
export const TIMERS_SET = `(() => {
  const timer = setTimeout(() => {});
  clearTimeout(timer);
  globalThis.looks = (globalThis.looks ?? 0) + 1;
  return timer - globalThis.looks;
})()`;

/** A `ShownState`, of a document and its shadow roots. */
const STATE = `((shadowRoots) => {
  const { body, scripts } = document;
  let letters = 0;
  let saysLoading = false;
  const scopes = [body ?? document, ...shadowRoots];
  const words = '(?:loading|please wait|one moment|wird geladen|lädt|laden|bitte warten|chargement|cargando|caricamento|carregando|загрузка|加载中|読み込み中)';
  const loadingText = new RegExp('^' + words + '(?:[^ ]{0,4}|[^.…]{0,40}(?:[.]{2,}|…))$', 'i');
  for (const scope of scopes) {
    const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let text; letters < ${ENOUGH} && (text = texts.nextNode()) !== null; ) {
      const parent = text.parentNode;
      if (/^(?:script|style|noscript|template|iframe|noframes)$/i.test(parent.nodeName)) continue;
      const shown = text.data.trim();
      letters += shown.length;
      if (shown.length <= 80 && loadingText.test(shown)) saysLoading ||= parent.checkVisibility?.() ?? true;
    }
  }
  const hasScripts = scripts.length > 0 && body !== null;
  const bare = hasScripts && letters < ${BARE};
  const all = (selectors) => scopes.flatMap((scope) => [...scope.querySelectorAll(selectors)]);
  const sees = (selectors) => all(selectors).some((one) => one.checkVisibility());
  const places = '#root, #app, #main, #__next, #__nuxt, #___gatsby, #svelte, app-root, my-app';
  const marks = ['spinner', 'loading', 'loader', 'skeleton'].flatMap((word) => ['[class*=' + word + ' i]', '[id*=' + word + ' i]']);
  const loading = hasScripts && letters < ${ENOUGH} && (saysLoading || (bare && (
    (letters === 0 && all('img, picture, video, canvas, svg, iframe, object, embed, input, select, textarea').length === 0) ||
    all(places).some((one) => one.shadowRoot === null && one.childElementCount === 0 && one.textContent.trim() === '') ||
    sees(marks.join() + ', [aria-busy=true], [role=progressbar], progress')
  )));
  const leading = [...scripts, ...(body === null ? [] : [body])]
    .map((one) => one === body ? one.getAttribute('onload') ?? '' : one.src === '' ? one.textContent : '')
    .filter((one) => one.length <= ${LONGEST_LEADING_SCRIPT} && ${LEAVES}.test(one));
  const hasTimers = ${TIMERS_SET} > 0;
  let leads = null;
  if (hasTimers && leading.some((one) => ${BY_TIMER}.test(one))) leads = 'by timer';
  else if (leading.some((one) => ${BY_DATA}.test(one))) leads = 'by data';
  const isSmall = ({ initiatorType, decodedBodySize: size }) =>
    initiatorType === 'script' && size > 0 && size <= ${LONGEST_LEADING_SCRIPT};
  const smallScripts = hasTimers ? performance.getEntriesByType('resource').filter(isSmall).slice(0, ${MOST_SCRIPTS}) : [];
  const loadedAt = performance.getEntriesByType('navigation')[0]?.loadEventEnd ?? 0;
  return {
    silent: letters === 0,
    bare,
    loading,
    parsed: document.readyState !== 'loading',
    leads,
    smallScripts: smallScripts.map(({ name }) => name),
    loadedMs: loadedAt === 0 ? 0 : performance.now() - loadedAt,
  };
})`;

/** JSON of a `ShownDocument`. To be run in a world of its own, in which the page has changed nothing. */
export const READ_DOCUMENT = (limit: number | string) => `(() => {
  const doctype = document.doctype === null ? '' : new XMLSerializer().serializeToString(document.doctype);
  const root = document.documentElement;
  const shadowRoots = ${SHADOW_ROOTS};
  const markup = () => {
    const isHtml = root instanceof HTMLHtmlElement && document.contentType === 'text/html';
    if (!isHtml || shadowRoots.length === 0 || root.getHTML === undefined) return root.outerHTML;
    // Only getHTML tells of shadow roots, and it leaves the element itself out.
    const alone = root.cloneNode(false).outerHTML;
    const end = alone.lastIndexOf('</');
    return alone.slice(0, end) + root.getHTML({ shadowRoots, serializableShadowRoots: true }) + alone.slice(end);
  };
  const html = doctype + (root === null ? '' : markup());
  return JSON.stringify({
    html: html.slice(0, ${limit}),
    url: location.href,
    type: document.contentType,
    cut: html.length > ${limit},
    hidden: innerWidth < ${SMALL} || innerHeight < ${SMALL},
    base: document.baseURI,
    ...${STATE}(shadowRoots),
  });
})()`;
const TRIES = 5;
const PARSED_MS = 100;

/** What a browser makes of no bytes at all. */
const MADE = /^(?:<!DOCTYPE[^>]*>)?<html[^>]*><head><\/head><body><\/body><\/html>$/;

/** The document of an answer without a body: what the browser made of it is nothing that came. */
export function withoutMade(read: ShownDocument): ShownDocument {
  return MADE.test(read.html) ? { ...read, html: '' } : read;
}

/** The document of the main frame as it stands now. Rejects when the signal ends it, or there is none to be read. */
export async function readDocument(
  cdp: CdpSession,
  frameId: string,
  limit: number,
  signal: AbortSignal,
): Promise<ShownDocument> {
  for (let tries = 1; ; tries++) {
    using next = nextDocument(cdp, frameId);
    try {
      return await orAborted(Promise.race([readOnce(cdp, frameId, limit), next.instead]), signal);
    } catch (error) {
      // It was replaced by another document in between.
      if (signal.aborted || tries === TRIES) throw error;
      await next.parsed;
    }
  }
}

/** How far it has come; null: there is none at the moment. Never rejects. */
export async function lookAt(
  cdp: CdpSession,
  frameId: string,
  signal: AbortSignal,
): Promise<ShownState | null> {
  const looking = evaluate<ShownState>(cdp, frameId, `JSON.stringify(${STATE}(${SHADOW_ROOTS}))`);
  return await orAborted(looking, signal).catch(() => null);
}

/**
 * Whether the page may lead elsewhere by what it has begun: a script that stands in it says so, or a small one that it has
 * loaded. Never rejects.
 */
export async function mayLead(
  cdp: CdpSession,
  frameId: string,
  { leads, smallScripts }: ShownState,
  loadsData: boolean,
): Promise<boolean> {
  if (leads === 'by timer' || (leads === 'by data' && loadsData)) return true;
  const contents = smallScripts.map((url) => cdp.send('Page.getResourceContent', { frameId, url }));
  const scripts = await Promise.allSettled(contents);
  return scripts.some(
    (one) => one.status === 'fulfilled' && LEAVES.test(one.value.content) && BY_TIMER.test(one.value.content),
  );
}

/** Another document in place of the one that is being read: a question to that one may never be answered. */
function nextDocument(cdp: CdpSession, frameId: string) {
  const { promise: parsed, resolve } = Promise.withResolvers<void>();
  const { promise: instead, reject } = Promise.withResolvers<never>();
  instead.catch(() => {});
  const timers: NodeJS.Timeout[] = [setTimeout(resolve, PARSED_MS)];
  const onEvent = (event: { frameId: string; name: string }) => {
    if (event.frameId !== frameId || event.name !== 'DOMContentLoaded') return;
    resolve();
    timers.push(setTimeout(() => reject(new Error('the document was replaced')), PARSED_MS));
  };
  cdp.on('Page.lifecycleEvent', onEvent);
  return {
    /** Settles when it has been parsed, or must have been before. */
    parsed,
    /** Rejects when it is there and nothing has been read. */
    instead,
    [Symbol.dispose]() {
      cdp.off('Page.lifecycleEvent', onEvent);
      for (const timer of timers) clearTimeout(timer);
      resolve();
    },
  };
}

/** The document of a frame, asked for once. */
export const readOnce = (cdp: CdpSession, frameId: string, limit: number): Promise<ShownDocument> =>
  evaluate(cdp, frameId, READ_DOCUMENT(limit));

/** What an expression that gives JSON makes of the document. */
async function evaluate<T>(cdp: CdpSession, frameId: string, expression: string): Promise<T> {
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'reader',
  });
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression,
    contextId,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined || typeof result.value !== 'string')
    throw new Error(exceptionDetails?.text ?? 'the document cannot be read');
  return JSON.parse(result.value);
}
