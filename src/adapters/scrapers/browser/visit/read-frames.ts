import { getDomain } from 'tldts';
import type { FrameDocument } from '../../../../domain/reading.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Tab } from '../tab.ts';
import { orAborted } from './raw-body.ts';
import { readOnce, type ShownDocument } from './read-document.ts';

const MOST_FRAMES = 20;
/** Of all of them together. */
const MOST_CHARACTERS = 2 ** 20;
/** For all of them: a frame may be stuck. */
const MOST_MS = 2_000;

/**
 * The documents that the frames of a page show, in the order in which they came to be; those of other sites only where the page has no
 * text of its own: there the frames are the page, elsewhere they are mostly advertisements. What cannot be read in time is left out.
 */
export async function readFrames(
  tab: Pick<Tab, 'session' | 'mainFrame' | 'frameSessions'>,
  { silent, url: pageUrl }: ShownDocument,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FrameDocument[]> {
  const documents: FrameDocument[] = [];
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
  let left = Math.min(limit, MOST_CHARACTERS);
  for (const session of [tab.session, ...(silent ? await tab.frameSessions() : [])]) {
    for (const frameId of await framesOf(session, inTime)) {
      if (frameId === tab.mainFrame) continue;
      if (documents.length >= MOST_FRAMES || left <= 0) return documents;
      // It may be gone, or not answer.
      const read = await orAborted(readOnce(session, frameId, left), inTime).catch(() => null);
      if (read === null || read.hidden || !/^(?:text\/html|application\/xhtml\+xml)$/.test(read.type))
        continue;
      const url = read.url.startsWith('about:') ? read.base : read.url;
      if (!silent && siteOf(url) !== siteOf(pageUrl)) continue;
      documents.push({ url, html: read.html });
      left -= read.html.length;
    }
  }
  return documents;
}

/** HTML, "obtain a site", without the scheme. */
function siteOf(url: string): string {
  return getDomain(url, { allowPrivateDomains: true }) ?? URL.parse(url)?.hostname ?? url;
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

/** All that one session reaches, each before those in it. */
async function framesOf(session: CdpSession, signal: AbortSignal): Promise<string[]> {
  const asked = await orAborted(session.send('Page.getFrameTree'), signal).catch(() => null);
  const below = ({ frame, childFrames }: FrameTree): string[] => [
    frame.id,
    ...(childFrames ?? []).flatMap(below),
  ];
  return asked === null ? [] : below(asked.frameTree);
}
