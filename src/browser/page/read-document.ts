import { getDomain } from 'tldts';
import { orAborted } from '../../base/wait.ts';
import type { FrameDocument } from '../../domain/reading.ts';
import type { BrowserPage } from '../engine/browser-page.ts';
import type { CdpSession } from '../engine/cdp-session.ts';

/** How complete a shown document is. */
export interface DocumentState {
  readonly hasNoText: boolean;
  /** It has scripts, and almost no text: its content may still be loaded. */
  readonly isAlmostEmpty: boolean;
  /** It shows nothing, has an empty container for its content, or a loading indicator. */
  readonly loading: boolean;
  /** It has been parsed completely. */
  readonly parsed: boolean;
  /** One of its scripts may navigate: when a timer fires, or when data has been loaded. null: none. */
  readonly navigationTrigger: 'timer' | 'data' | null;
  /** URLs of small scripts that it has loaded, which may have set timers. */
  readonly smallScripts: readonly string[];
  /** How long ago it was loaded, in milliseconds; 0: it is not loaded yet. */
  readonly loadedMs: number;
}

export interface DocumentSnapshot extends DocumentState {
  readonly html: string;
  readonly url: string;
  /** Content type of the document: `text/html`, … */
  readonly type: string;
  /** Name of the encoding by which the browser has decoded it (WHATWG Encoding), such as `windows-1252`. */
  readonly charset: string;
  /** The HTML was longer than the limit. */
  readonly cut: boolean;
  /** Its window is as small as a hidden frame. */
  readonly hidden: boolean;
  /** Base of its relative URLs. */
  readonly base: string;
}

/** A page with less text may be a placeholder until its content is loaded. */
const PLACEHOLDER_TEXT_LENGTH = 100;
/** A page with more text shows its content, even if parts of it are still loading. */
const CONTENT_TEXT_LENGTH = 800;
/** Longer scripts do more than navigate. */
const MAX_REDIRECT_SCRIPT_LENGTH = 4_000;
const NAVIGATES =
  /\blocation\s*(?:\.\s*href\s*)?=(?![=>])|\blocation\s*\.\s*(?:replace|assign|reload)\s*\(|\bnavigation\s*\.\s*(?:navigate|reload)\s*\(|\.\s*submit\s*\(|\bhistory\s*\.\s*(?:go|back)\s*\(/;
const BY_TIMER = /\bset(?:Timeout|Interval)\b/;
const BY_DATA = /\bfetch\b|\bXMLHttpRequest\b/;
/** At most so many small scripts are inspected. */
const MAX_SCRIPTS = 5;
/** In pixels. Hidden frames, and those that only count visitors, are smaller. */
const MIN_FRAME_SIZE = 2;

/** All open shadow roots. */
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
 * How many timers the scripts of the page have set. Timers of a document are numbered, also those of isolated worlds: this is the
 * number of a new timer, minus the timers that this script has set.
 */
export const TIMER_COUNT_SCRIPT = `(() => {
  const timer = setTimeout(() => {});
  clearTimeout(timer);
  globalThis.ownTimers = (globalThis.ownTimers ?? 0) + 1;
  return timer - globalThis.ownTimers;
})()`;

/** The `DocumentState` of a document with its shadow roots. */
const DOCUMENT_STATE_SCRIPT = `((shadowRoots) => {
  const { body, scripts } = document;
  let textLength = 0;
  let showsLoadingText = false;
  const scopes = [body ?? document, ...shadowRoots];
  const words = '(?:loading|please wait|one moment|wird geladen|lädt|laden|bitte warten|chargement|cargando|caricamento|carregando|загрузка|加载中|読み込み中)';
  const loadingText = new RegExp('^' + words + '(?:[^ ]{0,4}|[^.…]{0,40}(?:[.]{2,}|…))$', 'i');
  for (const scope of scopes) {
    const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let text; textLength < ${CONTENT_TEXT_LENGTH} && (text = texts.nextNode()) !== null; ) {
      const parent = text.parentNode;
      if (/^(?:script|style|noscript|template|iframe|noframes)$/i.test(parent.nodeName)) continue;
      const trimmed = text.data.trim();
      textLength += trimmed.length;
      if (trimmed.length <= 80 && loadingText.test(trimmed)) showsLoadingText ||= parent.checkVisibility?.() ?? true;
    }
  }
  const hasScripts = scripts.length > 0 && body !== null;
  const isAlmostEmpty = hasScripts && textLength < ${PLACEHOLDER_TEXT_LENGTH};
  const all = (selectors) => scopes.flatMap((scope) => [...scope.querySelectorAll(selectors)]);
  const isAnyVisible = (selectors) => all(selectors).some((element) => element.checkVisibility());
  const containers = '#root, #app, #main, #__next, #__nuxt, #___gatsby, #svelte, app-root, my-app';
  const indicators = ['spinner', 'loading', 'loader', 'skeleton'].flatMap((word) => ['[class*=' + word + ' i]', '[id*=' + word + ' i]']);
  const loading = hasScripts && textLength < ${CONTENT_TEXT_LENGTH} && (showsLoadingText || (isAlmostEmpty && (
    (textLength === 0 && all('img, picture, video, canvas, svg, iframe, object, embed, input, select, textarea').length === 0) ||
    all(containers).some((element) => element.shadowRoot === null && element.childElementCount === 0 && element.textContent.trim() === '') ||
    isAnyVisible(indicators.join() + ', [aria-busy=true], [role=progressbar], progress')
  )));
  const navigating = [...scripts, ...(body === null ? [] : [body])]
    .map((element) => element === body ? element.getAttribute('onload') ?? '' : element.src === '' ? element.textContent : '')
    .filter((source) => source.length <= ${MAX_REDIRECT_SCRIPT_LENGTH} && ${NAVIGATES}.test(source));
  const hasTimers = ${TIMER_COUNT_SCRIPT} > 0;
  let navigationTrigger = null;
  if (hasTimers && navigating.some((source) => ${BY_TIMER}.test(source))) navigationTrigger = 'timer';
  else if (navigating.some((source) => ${BY_DATA}.test(source))) navigationTrigger = 'data';
  const isSmall = ({ initiatorType, decodedBodySize: size }) =>
    initiatorType === 'script' && size > 0 && size <= ${MAX_REDIRECT_SCRIPT_LENGTH};
  const smallScripts = hasTimers ? performance.getEntriesByType('resource').filter(isSmall).slice(0, ${MAX_SCRIPTS}) : [];
  const loadedAt = performance.getEntriesByType('navigation')[0]?.loadEventEnd ?? 0;
  return {
    hasNoText: textLength === 0,
    isAlmostEmpty,
    loading,
    parsed: document.readyState !== 'loading',
    navigationTrigger,
    smallScripts: smallScripts.map(({ name }) => name),
    loadedMs: loadedAt === 0 ? 0 : performance.now() - loadedAt,
  };
})`;

/**
 * Returns a `DocumentSnapshot` as JSON. To be run in an isolated world, because the page may have replaced built-ins of its own.
 * @param limit characters of the HTML, or the source of an expression for it
 */
export const readDocumentScript = (limit: number | string) => `(() => {
  const doctype = document.doctype === null ? '' : new XMLSerializer().serializeToString(document.doctype);
  const root = document.documentElement;
  const shadowRoots = ${SHADOW_ROOTS_SCRIPT};
  const markup = () => {
    const isHtml = root instanceof HTMLHtmlElement && document.contentType === 'text/html';
    if (!isHtml || shadowRoots.length === 0 || root.getHTML === undefined) return root.outerHTML;
    // Only getHTML includes shadow roots, but it excludes the element itself.
    const shell = root.cloneNode(false).outerHTML;
    const end = shell.lastIndexOf('</');
    return shell.slice(0, end) + root.getHTML({ shadowRoots, serializableShadowRoots: true }) + shell.slice(end);
  };
  const html = doctype + (root === null ? '' : markup());
  return JSON.stringify({
    html: html.slice(0, ${limit}),
    url: location.href,
    type: document.contentType,
    charset: document.characterSet,
    cut: html.length > ${limit},
    hidden: innerWidth < ${MIN_FRAME_SIZE} || innerHeight < ${MIN_FRAME_SIZE},
    base: document.baseURI,
    ...${DOCUMENT_STATE_SCRIPT}(shadowRoots),
  });
})()`;

const MAX_TRIES = 5;
/** How long a new document may take to be parsed, and how long reading may then take to fail for the old one. */
const REPLACEMENT_MS = 100;

/** The HTML of the document that a browser makes for an empty body. */
const SYNTHESIZED_DOCUMENT = /^(?:<!DOCTYPE[^>]*>)?<html[^>]*><head><\/head><body><\/body><\/html>$/;

/** Removes the document that the browser has made for a response without a body: it is not content of the target. */
export function withoutSynthesized(snapshot: DocumentSnapshot): DocumentSnapshot {
  return SYNTHESIZED_DOCUMENT.test(snapshot.html) ? { ...snapshot, html: '' } : snapshot;
}

/**
 * Reads the document of the main frame. Rejects when the signal aborts, or no document can be read.
 * @param limit characters of the HTML
 */
export async function readDocument(
  cdp: CdpSession,
  frameId: string,
  limit: number,
  signal: AbortSignal,
): Promise<DocumentSnapshot> {
  for (let tries = 1; ; tries++) {
    using next = nextDocument(cdp, frameId);
    try {
      return await orAborted(Promise.race([readFrameDocument(cdp, frameId, limit), next.replaced]), signal);
    } catch (error) {
      // Mostly the document was replaced while it was read.
      if (signal.aborted || tries === MAX_TRIES) throw error;
      await next.parsed;
    }
  }
}

/** The state of the document; null: there is none at the moment. Never rejects. */
export async function readDocumentState(
  cdp: CdpSession,
  frameId: string,
  signal: AbortSignal,
): Promise<DocumentState | null> {
  const state = evaluateJson<DocumentState>(
    cdp,
    frameId,
    `JSON.stringify(${DOCUMENT_STATE_SCRIPT}(${SHADOW_ROOTS_SCRIPT}))`,
  );
  return await orAborted(state, signal).catch(() => null);
}

/** Whether an inline script, or a small script that the page has loaded, may navigate soon. Never rejects. */
export async function mayNavigate(
  cdp: CdpSession,
  frameId: string,
  { navigationTrigger, smallScripts }: DocumentState,
  isLoadingData: boolean,
): Promise<boolean> {
  if (navigationTrigger === 'timer' || (navigationTrigger === 'data' && isLoadingData)) return true;
  const contents = smallScripts.map((url) => cdp.send('Page.getResourceContent', { frameId, url }));
  const scripts = await Promise.allSettled(contents);
  return scripts.some(
    (script) =>
      script.status === 'fulfilled' &&
      NAVIGATES.test(script.value.content) &&
      BY_TIMER.test(script.value.content),
  );
}

/** Watches for another document while one is being read: the reading command may then never return. */
function nextDocument(cdp: CdpSession, frameId: string) {
  const { promise: parsed, resolve } = Promise.withResolvers<void>();
  const { promise: replaced, reject } = Promise.withResolvers<never>();
  replaced.catch(() => {});
  const timers: NodeJS.Timeout[] = [setTimeout(resolve, REPLACEMENT_MS)];
  const onEvent = (event: { frameId: string; name: string }) => {
    if (event.frameId !== frameId || event.name !== 'DOMContentLoaded') return;
    resolve();
    timers.push(setTimeout(() => reject(new Error('the document was replaced')), REPLACEMENT_MS));
  };
  cdp.on('Page.lifecycleEvent', onEvent);
  return {
    /** Resolves when the next document has been parsed, or after a short time. */
    parsed,
    /** Rejects some time after the next document has been parsed. */
    replaced,
    [Symbol.dispose]() {
      cdp.off('Page.lifecycleEvent', onEvent);
      for (const timer of timers) clearTimeout(timer);
      resolve();
    },
  };
}

const readFrameDocument = (cdp: CdpSession, frameId: string, limit: number): Promise<DocumentSnapshot> =>
  evaluateJson(cdp, frameId, readDocumentScript(limit));

/** Evaluates an expression that returns JSON, in an isolated world. */
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
/** For all frames together. */
const MAX_CHARACTERS = 2 ** 20;
/** For all frames together, because one may hang. */
const FRAMES_TIMEOUT_MS = 2_000;

/**
 * The documents of a page's frames, in the order in which they were created. Frames of other sites, mostly advertisements, are
 * included only if the page itself has no text. A frame that cannot be read in time is left out.
 * @param limit characters of all frames together; `MAX_CHARACTERS` also applies
 */
export async function readFrames(
  page: Pick<BrowserPage, 'session' | 'mainFrameId' | 'frameSessions'>,
  { hasNoText, url: pageUrl }: DocumentSnapshot,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FrameDocument[]> {
  const documents: FrameDocument[] = [];
  const framesSignal = AbortSignal.any([signal, AbortSignal.timeout(FRAMES_TIMEOUT_MS)]);
  let charactersLeft = Math.min(limit, MAX_CHARACTERS);
  for (const session of [page.session, ...(hasNoText ? await page.frameSessions() : [])]) {
    for (const frameId of await frameIdsOf(session, framesSignal)) {
      if (frameId === page.mainFrameId) continue;
      if (documents.length >= MAX_FRAMES || charactersLeft <= 0) return documents;
      // The frame may be gone, or hang.
      const read = await orAborted(readFrameDocument(session, frameId, charactersLeft), framesSignal).catch(
        () => null,
      );
      if (read === null || read.hidden || !/^(?:text\/html|application\/xhtml\+xml)$/.test(read.type))
        continue;
      const url = read.url.startsWith('about:') ? read.base : read.url;
      if (!hasNoText && registrableDomain(url) !== registrableDomain(pageUrl)) continue;
      documents.push({ url, html: read.html });
      charactersLeft -= read.html.length;
    }
  }
  return documents;
}

/** The site of a URL (HTML, "obtain a site"), without the scheme. */
function registrableDomain(url: string): string {
  return getDomain(url, { allowPrivateDomains: true }) ?? URL.parse(url)?.hostname ?? url;
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

/** All frames of a session, each before its children. */
async function frameIdsOf(session: CdpSession, signal: AbortSignal): Promise<string[]> {
  const tree = await orAborted(session.send('Page.getFrameTree'), signal).catch(() => null);
  const idsIn = ({ frame, childFrames }: FrameTree): string[] => [
    frame.id,
    ...(childFrames ?? []).flatMap(idsIn),
  ];
  return tree === null ? [] : idsIn(tree.frameTree);
}
