import { titleInSource } from '../content/document/source-title.ts';
import type { Scrape } from '../domain/scrape.ts';

/** Formats that tell the title. */
const TITLED = ['metadata', 'document'] as const;
/** Enough of the content to have its title. */
const MAX_BYTES = 128 * 1024;

/** The title of the page of a scrape, as its metadata, its document or its source say; null: it has none. */
export function pageTitle({ delivered }: Pick<Scrape, 'delivered'>): string | null {
  if (delivered === null) return null;
  for (const name of TITLED) {
    const json = delivered.data.find(([member]) => member === name)?.[1];
    const { title = null } =
      (json === undefined ? null : (JSON.parse(json) as { title?: string | null })) ?? {};
    if (title !== null) return title.slice(0, 300);
  }
  const { content } = delivered;
  if (content === null || content.encoding !== 'utf-8') return null;
  const source = Buffer.from(
    content.bytes.buffer,
    content.bytes.byteOffset,
    Math.min(content.bytes.length, MAX_BYTES),
  );
  return titleInSource(source.toString('utf8'));
}
