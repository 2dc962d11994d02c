import type { ReadingTargets } from '../../../domain/reading.ts';
import { gunzippedText, readFeed } from './feed.ts';
import type { Feed } from './feed-data.ts';

/** Whether bytes of this type are to be unpacked: `sitemap.xml.gz`, which servers send as a file. */
export const wantsUnpacking = ({ formats }: Pick<ReadingTargets, 'formats'>, essence: string): boolean =>
  (essence === 'application/gzip' || essence === 'application/x-gzip') && formats.includes('feed');

/** The feed or sitemap in a gzip file; null: there is none. */
export function packedFeed(bytes: Uint8Array, url: string): Feed | null {
  const text = gunzippedText(bytes);
  return text === null ? null : readFeed(text, url, null);
}
