import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseHtml } from '../../src/content/document/parse-page.ts';
import { type ParsedPage, toParsedPage } from '../../src/content/document/parsed-page.ts';
import { selectionText, visibleText } from '../../src/content/document/visible-text.ts';
import { findMainContent, type MainContent } from '../../src/content/reading/main/main-content.ts';

const MAX_CHARACTERS = 5 * 2 ** 20;
const PEER_TIMEOUT_MS = 40_000;

/** Processor time of this process, which other programs on the machine do not lengthen. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export interface Extracted {
  /** The text of the main content, always by our own rules for white space. */
  readonly text: string;
  /** Of processor time. */
  readonly ms: number;
}

export interface Extractor {
  readonly name: string;
  extract(html: string, url: string): Promise<Extracted>;
  stop(): void;
}

interface OwnExtract extends Extracted {
  readonly page: ParsedPage;
  readonly main: MainContent;
  readonly parseMs: number;
}

/** Parses the page, finds its main content, and makes the text of it. */
export function extractOwn(html: string, url: string): OwnExtract {
  const began = cpuMs();
  const page = toParsedPage(parseHtml(html, false), url, null);
  const parseMs = cpuMs() - began;
  const main = findMainContent(page, { include: [], exclude: [], commonBlocks: null });
  const { text } = selectionText(main, page.plainXml, MAX_CHARACTERS);
  return { page, main, text, parseMs, ms: cpuMs() - began };
}

export const ownExtractor: Extractor = {
  name: 'Sluice',
  extract: async (html, url) => extractOwn(html, url),
  stop() {},
};

/** All that the page shows: what an extractor must improve on. */
export const wholePage: Extractor = {
  name: 'whole page',
  async extract(html) {
    const began = cpuMs();
    const { text } = visibleText(parseHtml(html, true).root, false, MAX_CHARACTERS);
    return { text, ms: cpuMs() - began };
  },
  stop() {},
};

/** A library in a process of its own, which is ended when a page takes too long, and then started again. */
export function peerExtractor(name: 'readability' | 'defuddle'): Extractor {
  let peer = startPeer(name);
  return {
    name,
    async extract(html, url) {
      const answer = await peer.ask(JSON.stringify({ html, url }));
      if (answer === null) {
        peer.stop();
        peer = startPeer(name);
        return { text: '', ms: PEER_TIMEOUT_MS };
      }
      const { html: content, ms } = JSON.parse(answer) as { html: string; ms: number };
      return { text: visibleText(parseHtml(content, true).root, false, MAX_CHARACTERS).text, ms };
    },
    stop: () => peer.stop(),
  };
}

function startPeer(name: string) {
  const program = join(import.meta.dirname, '..', 'peers', 'reading.mjs');
  const child = spawn(process.execPath, [program, name], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  // A program that has ended cannot be asked.
  child.stdin.on('error', () => {});
  return {
    /** @returns null: no answer in time */
    async ask(line: string): Promise<string | null> {
      const timeout = AbortSignal.timeout(PEER_TIMEOUT_MS);
      const gone = new AbortController();
      const end = () => gone.abort();
      child.once('exit', end);
      try {
        const answer = once(lines, 'line', { signal: AbortSignal.any([timeout, gone.signal]) });
        child.stdin.write(`${line}\n`);
        return (await answer)[0] as string;
      } catch {
        return null;
      } finally {
        child.off('exit', end);
      }
    },
    stop: () => child.kill('SIGKILL'),
  };
}
