import { getDomain } from 'tldts';
import { orAborted } from '../../base/wait.ts';
import type { FrameDocument } from '../../domain/reading.ts';
import type { BrowserPage } from '../engine/browser-page.ts';
import type { CdpSession } from '../engine/cdp-session.ts';

/** How far a document has come that is shown. */
export interface DocumentState {
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

export interface DocumentSnapshot extends DocumentState {
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
const BARE_TEXT_LENGTH = 100;
/** A page that shows more is content, whatever part of it is still loading. */
const CONTENT_TEXT_LENGTH = 800;
/** A script that is longer does more than to lead to another page. */
const MAX_REDIRECT_SCRIPT_LENGTH = 4_000;
const NAVIGATES =
  /\blocation\s*(?:\.\s*href\s*)?=(?![=>])|\blocation\s*\.\s*(?:replace|assign|reload)\s*\(|\bnavigation\s*\.\s*(?:navigate|reload)\s*\(|\.\s*submit\s*\(|\bhistory\s*\.\s*(?:go|back)\s*\(/;
const BY_TIMER = /\bset(?:Timeout|Interval)\b/;
const BY_DATA = /\bfetch\b|\bXMLHttpRequest\b/;
/** Of the small ones. */
const MAX_SCRIPTS = 5;
/** Pixels: frames that are hidden, or only count visitors, are smaller. */
const MIN_FRAME_SIZE = 2;

/** The open ones. */
const SHADOW_ROOTS_SCRIPT = `(() => {
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
export const TIMER_COUNT_SCRIPT = `(() => {
  const timer = setTimeout(() => {});
  clearTimeout(timer);
  globalThis.looks = (globalThis.looks ?? 0) + 1;
  return timer - globalThis.looks;
})()`;

/** A `DocumentState`, of a document and its shadow roots. */
const DOCUMENT_STATE_SCRIPT = `((shadowRoots) => {
  const { body, scripts } = document;
  let letters = 0;
  let saysLoading = false;
  const scopes = [body ?? document, ...shadowRoots];
  const words = '(?:loading|please wait|one moment|wird geladen|lädt|laden|bitte warten|chargement|cargando|caricamento|carregando|загрузка|加载中|読み込み中)';
  const loadingText = new RegExp('^' + words + '(?:[^ ]{0,4}|[^.…]{0,40}(?:[.]{2,}|…))$', 'i');
  for (const scope of scopes) {
    const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let text; letters < ${CONTENT_TEXT_LENGTH} && (text = texts.nextNode()) !== null; ) {
      const parent = text.parentNode;
      if (/^(?:script|style|noscript|template|iframe|noframes)$/i.test(parent.nodeName)) continue;
      const shown = text.data.trim();
      letters += shown.length;
      if (shown.length <= 80 && loadingText.test(shown)) saysLoading ||= parent.checkVisibility?.() ?? true;
    }
  }
  const hasScripts = scripts.length > 0 && body !== null;
  const bare = hasScripts && letters < ${BARE_TEXT_LENGTH};
  const all = (selectors) => scopes.flatMap((scope) => [...scope.querySelectorAll(selectors)]);
  const sees = (selectors) => all(selectors).some((one) => one.checkVisibility());
  const places = '#root, #app, #main, #__next, #__nuxt, #___gatsby, #svelte, app-root, my-app';
  const marks = ['spinner', 'loading', 'loader', 'skeleton'].flatMap((word) => ['[class*=' + word + ' i]', '[id*=' + word + ' i]']);
  const loading = hasScripts && letters < ${CONTENT_TEXT_LENGTH} && (saysLoading || (bare && (
    (letters === 0 && all('img, picture, video, canvas, svg, iframe, object, embed, input, select, textarea').length === 0) ||
    all(places).some((one) => one.shadowRoot === null && one.childElementCount === 0 && one.textContent.trim() === '') ||
    sees(marks.join() + ', [aria-busy=true], [role=progressbar], progress')
  )));
  const leading = [...scripts, ...(body === null ? [] : [body])]
    .map((one) => one === body ? one.getAttribute('onload') ?? '' : one.src === '' ? one.textContent : '')
    .filter((one) => one.length <= ${MAX_REDIRECT_SCRIPT_LENGTH} && ${NAVIGATES}.test(one));
  const hasTimers = ${TIMER_COUNT_SCRIPT} > 0;
  let leads = null;
  if (hasTimers && leading.some((one) => ${BY_TIMER}.test(one))) leads = 'by timer';
  else if (leading.some((one) => ${BY_DATA}.test(one))) leads = 'by data';
  const isSmall = ({ initiatorType, decodedBodySize: size }) =>
    initiatorType === 'script' && size > 0 && size <= ${MAX_REDIRECT_SCRIPT_LENGTH};
  const smallScripts = hasTimers ? performance.getEntriesByType('resource').filter(isSmall).slice(0, ${MAX_SCRIPTS}) : [];
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

/** JSON of a `DocumentSnapshot`. To be run in a world of its own, in which the page has changed nothing. */
export const readDocumentScript = (limit: number | string) => `(() => {
  const doctype = document.doctype === null ? '' : new XMLSerializer().serializeToString(document.doctype);
  const root = document.documentElement;
  const shadowRoots = ${SHADOW_ROOTS_SCRIPT};
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
    hidden: innerWidth < ${MIN_FRAME_SIZE} || innerHeight < ${MIN_FRAME_SIZE},
    base: document.baseURI,
    ...${DOCUMENT_STATE_SCRIPT}(shadowRoots),
  });
})()`;
const MAX_TRIES = 5;
const PARSED_MS = 100;

/** What a browser makes of no bytes at all. */
const SYNTHESIZED_DOCUMENT = /^(?:<!DOCTYPE[^>]*>)?<html[^>]*><head><\/head><body><\/body><\/html>$/;

/** The document of an answer without a body: what the browser made of it is nothing that came. */
export function withoutSynthesized(read: DocumentSnapshot): DocumentSnapshot {
  return SYNTHESIZED_DOCUMENT.test(read.html) ? { ...read, html: '' } : read;
}

/** The document of the main frame as it stands now. Rejects when the signal ends it, or there is none to be read. */
export async function readDocument(
  cdp: CdpSession,
  frameId: string,
  limit: number,
  signal: AbortSignal,
): Promise<DocumentSnapshot> {
  for (let tries = 1; ; tries++) {
    using next = nextDocument(cdp, frameId);
    try {
      return await orAborted(Promise.race([readFrameDocument(cdp, frameId, limit), next.instead]), signal);
    } catch (error) {
      // It was replaced by another document in between.
      if (signal.aborted || tries === MAX_TRIES) throw error;
      await next.parsed;
    }
  }
}

/** How far it has come; null: there is none at the moment. Never rejects. */
export async function readDocumentState(
  cdp: CdpSession,
  frameId: string,
  signal: AbortSignal,
): Promise<DocumentState | null> {
  const looking = evaluateJson<DocumentState>(
    cdp,
    frameId,
    `JSON.stringify(${DOCUMENT_STATE_SCRIPT}(${SHADOW_ROOTS_SCRIPT}))`,
  );
  return await orAborted(looking, signal).catch(() => null);
}

/**
 * Whether the page may lead elsewhere by what it has begun: a script that stands in it says so, or a small one that it has
 * loaded. Never rejects.
 */
export async function mayNavigate(
  cdp: CdpSession,
  frameId: string,
  { leads, smallScripts }: DocumentState,
  loadsData: boolean,
): Promise<boolean> {
  if (leads === 'by timer' || (leads === 'by data' && loadsData)) return true;
  const contents = smallScripts.map((url) => cdp.send('Page.getResourceContent', { frameId, url }));
  const scripts = await Promise.allSettled(contents);
  return scripts.some(
    (one) =>
      one.status === 'fulfilled' && NAVIGATES.test(one.value.content) && BY_TIMER.test(one.value.content),
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
const readFrameDocument = (cdp: CdpSession, frameId: string, limit: number): Promise<DocumentSnapshot> =>
  evaluateJson(cdp, frameId, readDocumentScript(limit));

/** What an expression that gives JSON makes of the document. */
async function evaluateJson<T>(cdp: CdpSession, frameId: string, expression: string): Promise<T> {
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

const MAX_FRAMES = 20;
/** Of all of them together. */
const MAX_CHARACTERS = 2 ** 20;
/** For all of them: a frame may be stuck. */
const FRAMES_TIMEOUT_MS = 2_000;

/**
 * The documents that the frames of a page show, in the order in which they came to be; those of other sites only where the page has no
 * text of its own: there the frames are the page, elsewhere they are mostly advertisements. What cannot be read in time is left out.
 */
export async function readFrames(
  tab: Pick<BrowserPage, 'session' | 'mainFrameId' | 'frameSessions'>,
  { silent, url: pageUrl }: DocumentSnapshot,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FrameDocument[]> {
  const documents: FrameDocument[] = [];
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(FRAMES_TIMEOUT_MS)]);
  let left = Math.min(limit, MAX_CHARACTERS);
  for (const session of [tab.session, ...(silent ? await tab.frameSessions() : [])]) {
    for (const frameId of await frameIdsOf(session, inTime)) {
      if (frameId === tab.mainFrameId) continue;
      if (documents.length >= MAX_FRAMES || left <= 0) return documents;
      // It may be gone, or not answer.
      const read = await orAborted(readFrameDocument(session, frameId, left), inTime).catch(() => null);
      if (read === null || read.hidden || !/^(?:text\/html|application\/xhtml\+xml)$/.test(read.type))
        continue;
      const url = read.url.startsWith('about:') ? read.base : read.url;
      if (!silent && registrableDomain(url) !== registrableDomain(pageUrl)) continue;
      documents.push({ url, html: read.html });
      left -= read.html.length;
    }
  }
  return documents;
}

/** HTML, "obtain a site", without the scheme. */
function registrableDomain(url: string): string {
  return getDomain(url, { allowPrivateDomains: true }) ?? URL.parse(url)?.hostname ?? url;
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

/** All that one session reaches, each before those in it. */
async function frameIdsOf(session: CdpSession, signal: AbortSignal): Promise<string[]> {
  const asked = await orAborted(session.send('Page.getFrameTree'), signal).catch(() => null);
  const below = ({ frame, childFrames }: FrameTree): string[] => [
    frame.id,
    ...(childFrames ?? []).flatMap(below),
  ];
  return asked === null ? [] : below(asked.frameTree);
}
