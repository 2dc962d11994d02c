import type { CDPSession } from 'playwright-core';
import { orAborted } from './raw-body.ts';

export interface ShownDocument {
  readonly html: string;
  readonly url: string;
  /** `text/html`, or what else the browser made of it. */
  readonly type: string;
  /** The text was longer than asked for. */
  readonly cut: boolean;
}

/** Runs in a world of its own, in which the page has changed nothing. */
const READ = (limit: number) => `(() => {
  const doctype = document.doctype === null ? '' : new XMLSerializer().serializeToString(document.doctype);
  const root = document.documentElement;
  const html = doctype + (root === null ? '' : root.outerHTML);
  return JSON.stringify({ html: html.slice(0, ${limit}), url: location.href, type: document.contentType, cut: html.length > ${limit} });
})()`;
const TRIES = 5;

/** The document of the main frame as it stands now. Rejects when the signal ends it, or there is none to be read. */
export async function readDocument(
  cdp: CDPSession,
  frameId: string,
  limit: number,
  signal: AbortSignal,
): Promise<ShownDocument> {
  for (let tries = 1; ; tries++) {
    try {
      return await orAborted(readOnce(cdp, frameId, limit), signal);
    } catch (error) {
      // It was replaced by another document in between.
      if (signal.aborted || tries === TRIES) throw error;
    }
  }
}

async function readOnce(cdp: CDPSession, frameId: string, limit: number): Promise<ShownDocument> {
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'reader',
  });
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression: READ(limit),
    contextId,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined || typeof result.value !== 'string')
    throw new Error(exceptionDetails?.text ?? 'the document cannot be read');
  return JSON.parse(result.value);
}
