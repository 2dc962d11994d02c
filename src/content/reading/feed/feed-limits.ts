import { truncateText } from '../../document/visible-text.ts';

/** The limit of a sitemap (sitemaps.org). Feeds have some hundred. */
const MAX_ITEMS = 50_000;
/** Of one text, such as the content of an item. */
const MAX_TEXT_LENGTH = 200_000;
/** Of all texts together. */
const MAX_TOTAL_LENGTH = 5 * 2 ** 20;
/** Authors, categories or attachments of one item. */
const MAX_LIST = 100;

/** Limits what is read of one feed. */
export class FeedLimits {
  #remaining = MAX_TOTAL_LENGTH;
  truncated = false;

  /** Reads items until a limit is reached. */
  take<Source, Item>(sources: readonly Source[], read: (source: Source) => Item | null): Item[] {
    const items: Item[] = [];
    for (const source of sources) {
      if (items.length >= MAX_ITEMS || this.#remaining <= 0) {
        this.truncated = true;
        break;
      }
      const item = read(source);
      if (item !== null) items.push(item);
    }
    return items;
  }

  /** A trimmed text; null if it is none, or empty. */
  text(value: unknown): string | null {
    if (typeof value !== 'string') return null;
    const text = truncateText(value.trim(), Math.min(MAX_TEXT_LENGTH, Math.max(0, this.#remaining)));
    this.#remaining -= text.length;
    return text === '' ? null : text;
  }

  /** The texts of a list, each once. */
  texts(values: readonly unknown[]): string[] {
    const texts = this.list(values).map((value) => this.text(value));
    return [...new Set(texts)].filter((text) => text !== null);
  }

  list<Value>(values: readonly Value[]): readonly Value[] {
    return values.slice(0, MAX_LIST);
  }
}
