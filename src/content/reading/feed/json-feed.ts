import { rfc3339Date } from '../../../base/rfc3339-date.ts';
import { webUrl } from '../../document/parsed-page.ts';
import type { Feed, FeedAttachment, FeedEntry } from './feed-data.ts';
import { FeedLimits } from './feed-limits.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Reads JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/). @returns null if the text is no JSON Feed */
export function jsonFeed(text: string, base: string): Feed | null {
  let feed: unknown;
  try {
    feed = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (
    !isJsonObject(feed) ||
    !/jsonfeed\.org\/version/.test(String(feed.version)) ||
    !Array.isArray(feed.items)
  )
    return null;
  const limits = new FeedLimits();
  const items = limits.take(objectsIn(feed.items), (item) => entryOf(item, base, limits));
  return {
    kind: 'json_feed',
    title: limits.text(feed.title),
    description: limits.text(feed.description),
    url: urlIn(feed.home_page_url, base),
    language: limits.text(feed.language),
    updated: null,
    next: urlIn(feed.next_url, base),
    items,
    truncated: limits.truncated,
  };
}

function entryOf(item: JsonObject, base: string, limits: FeedLimits): FeedEntry {
  const authors = [...objectsIn(item.authors), ...objectsIn([item.author])];
  const id = typeof item.id === 'number' ? String(item.id) : limits.text(item.id);
  return {
    id,
    url: urlIn(item.url ?? item.external_url, base),
    title: limits.text(item.title),
    summary: limits.text(item.summary),
    content: limits.text(item.content_html) ?? limits.text(item.content_text),
    published: dateIn(item.date_published),
    updated: dateIn(item.date_modified),
    authors: limits.texts(authors.map(({ name }) => name)),
    categories: limits.texts(Array.isArray(item.tags) ? item.tags : []),
    image: urlIn(item.image ?? item.banner_image, base),
    attachments: limits.list(objectsIn(item.attachments)).flatMap((file) => attachmentOf(file, base, limits)),
  };
}

function attachmentOf(file: JsonObject, base: string, limits: FeedLimits): FeedAttachment[] {
  const url = urlIn(file.url, base);
  const size = Number(file.size_in_bytes);
  const bytes = Number.isSafeInteger(size) && size > 0 ? size : null;
  return url === null ? [] : [{ url, type: limits.text(file.mime_type), bytes }];
}

function urlIn(value: unknown, base: string): string | null {
  return typeof value === 'string' && value.trim() !== '' ? webUrl(value.trim(), base) : null;
}

function dateIn(value: unknown): string | null {
  return typeof value === 'string' ? rfc3339Date(value) : null;
}
