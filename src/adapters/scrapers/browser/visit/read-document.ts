import type { CdpSession } from '../cdp/cdp-session.ts';
import { orAborted } from './raw-body.ts';

export interface ShownDocument {
  readonly html: string;
  readonly url: string;
  /** `text/html`, or what else the browser made of it. */
  readonly type: string;
  /** The text was longer than asked for. */
  readonly cut: boolean;
  /** It has scripts, and next to no text yet. */
  readonly bare: boolean;
}

/** Fewer letters may be what a page shows until it has what it is for. */
const BARE = 100;

/** JSON of a `ShownDocument`. To be run in a world of its own, in which the page has changed nothing. */
export const READ_DOCUMENT = (limit: number) => `(() => {
  const doctype = document.doctype === null ? '' : new XMLSerializer().serializeToString(document.doctype);
  const root = document.documentElement;
  const shadowRoots = [];
  const scopes = [document];
  for (const scope of scopes)
    for (const { shadowRoot } of scope.querySelectorAll('*')) {
      if (shadowRoot === null) continue;
      shadowRoots.push(shadowRoot);
      scopes.push(shadowRoot);
    }
  const markup = () => {
    const isHtml = root instanceof HTMLHtmlElement && document.contentType === 'text/html';
    if (!isHtml || shadowRoots.length === 0 || root.getHTML === undefined) return root.outerHTML;
    // Only getHTML tells of shadow roots, and it leaves the element itself out.
    const alone = root.cloneNode(false).outerHTML;
    const end = alone.lastIndexOf('</');
    return alone.slice(0, end) + root.getHTML({ shadowRoots, serializableShadowRoots: true }) + alone.slice(end);
  };
  const html = doctype + (root === null ? '' : markup());
  let letters = document.scripts.length > 0 && document.body !== null ? 0 : Infinity;
  for (const scope of [document.body ?? document, ...shadowRoots]) {
    const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let text; letters < ${BARE} && (text = texts.nextNode()) !== null; )
      if (!/^(?:script|style|noscript|template)$/i.test(text.parentNode.nodeName)) letters += text.data.trim().length;
  }
  return JSON.stringify({
    html: html.slice(0, ${limit}),
    url: location.href,
    type: document.contentType,
    cut: html.length > ${limit},
    bare: letters < ${BARE},
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

async function readOnce(cdp: CdpSession, frameId: string, limit: number): Promise<ShownDocument> {
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'reader',
  });
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression: READ_DOCUMENT(limit),
    contextId,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined || typeof result.value !== 'string')
    throw new Error(exceptionDetails?.text ?? 'the document cannot be read');
  return JSON.parse(result.value);
}
