/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** To be given as `cursor` to continue after this page; null: it is the last one. */
  readonly next_cursor: string | null;
}

/** A list that is loaded page by page while it is read: `for await (const item of list)`. */
export class Pages<T> implements AsyncIterable<T> {
  readonly #load: (cursor: string | undefined) => Promise<Page<T>>;
  readonly #cursor: string | undefined;
  readonly #onEmpty: (() => Promise<boolean>) | undefined;

  /**
   * @param options.cursor where the list begins
   * @param options.onEmpty called after an empty page that is not the last one; false ends the list. Absent: it goes on
   */
  constructor(
    load: (cursor: string | undefined) => Promise<Page<T>>,
    options: { readonly cursor?: string | undefined; readonly onEmpty?: () => Promise<boolean> } = {},
  ) {
    this.#load = load;
    this.#cursor = options.cursor;
    this.#onEmpty = options.onEmpty;
  }

  /** Page by page, for those who keep the cursor to continue later. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined = this.#cursor;
    for (;;) {
      const page = await this.#load(cursor);
      if (page.items.length > 0) yield page;
      else if (page.next_cursor !== null && (await this.#onEmpty?.()) === false) return;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
