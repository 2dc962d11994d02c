import { SMALL_BYTES } from '../../../../base/byte-room.ts';
import { mimeOf } from '../../../../content/mime.ts';
import type { ActionOf } from '../../../../domain/page-action.ts';
import { READING_PER_BYTE, type ReadingAsk } from '../../../../domain/reading.ts';
import { orAborted } from '../visit/raw-body.ts';
import { readDocument, type ShownDocument } from '../visit/read-document.ts';
import type { Done } from './done.ts';
import { isolated } from './isolated.ts';
import type { Turn } from './turn.ts';

/** Reads data from the document as it stands, as `scraper_options.extract` does from the page that is delivered. */
export async function extract({ rules }: ActionOf<'extract'>, turn: Turn): Promise<Done> {
  const { reader, room } = turn.stage;
  const { signal } = turn;
  const { html, url, type, cut } = await documentOf(turn);
  const bytes = new Uint8Array(Buffer.from(html));
  const { kind, essence } = mimeOf([['content-type', `${type}; charset=utf-8`]], bytes);
  if (kind === 'binary') return { failed: `the document is ${essence}` };
  const ask: ReadingAsk = {
    kind,
    essence,
    charset: 'UTF-8',
    url,
    scripting: turn.stage.scripting,
    frames: [],
    formats: [],
    extract: rules,
    selector: null,
    jsonPath: null,
  };
  const needed = bytes.length > SMALL_BYTES ? (1 + READING_PER_BYTE) * bytes.length : 0;
  const giveBack = needed === 0 ? () => {} : await room.lend(needed, signal);
  if (giveBack === null) throw signal.reason;
  try {
    const reading = await reader.read(bytes, ask, { ms: turn.left, signal });
    if (reading === null) throw signal.reason;
    const result: unknown = JSON.parse(reading.data[0]![1]);
    const failed = reading.failures.find(({ code }) => code === 'extract.failed');
    const short = reading.failures.find(({ code }) => code === 'content.truncated');
    return {
      result,
      ...(failed === undefined ? {} : { failed: failed.message }),
      ...(cut ? { cut: 'The document is too long to be read completely.' } : {}),
      ...(short === undefined ? {} : { cut: short.message }),
    };
  } finally {
    giveBack();
  }
}

async function documentOf(turn: Turn): Promise<ShownDocument> {
  const { session, mainFrame, maxContentBytes } = turn.stage;
  const { signal } = turn;
  if (turn.frameElement === null) return readDocument(session as never, mainFrame, maxContentBytes, signal);
  const read = isolated(turn.root, 'readDocument', maxContentBytes, { timeout: turn.left });
  return await orAborted(read, signal);
}
