/** Limit of the HTML of a document, in UTF-16 units. Formats have less. */
const MAX_LENGTH = 8 * 2 ** 20;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char]!);
}

export type HtmlAttributes = Readonly<Record<string, string | number | undefined>>;

/** Parts of documents that can be hidden, as members of the details of a warning. */
export type HiddenPart = 'sheets' | 'rows' | 'columns' | 'slides' | 'shapes' | 'characters';

/** Collects HTML up to a limit. What comes after the limit is dropped; the parser closes what is open then. */
export class HtmlWriter {
  readonly #parts: string[] = [];
  #length = 0;
  /** Something was dropped. */
  isFull = false;
  /** There is more than white space. */
  hasText = false;
  /** What the document does not show, and was left out. */
  readonly hidden = new Map<HiddenPart, number>();

  open(tag: string, attributes: HtmlAttributes = {}): void {
    let text = `<${tag}`;
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined) text += ` ${name}="${escapeHtml(String(value))}"`;
    this.#add(`${text}>`);
  }

  close(tag: string): void {
    this.#add(`</${tag}>`);
  }

  text(text: string): void {
    this.#add(escapeHtml(text));
    this.hasText ||= /[^\s\u200b\ufeff]/.test(text);
  }

  element(tag: string, text: string, attributes: HtmlAttributes = {}): void {
    this.open(tag, attributes);
    this.text(text);
    this.close(tag);
  }

  /** @param html made by a package that escapes text */
  markup(html: string): void {
    this.#add(html);
    this.hasText ||= /[^\s]/.test(html.replace(/<[^>]*>/g, ''));
  }

  /** Notes that parts were left out because the document does not show them. */
  hide(part: HiddenPart, count: number): void {
    if (count > 0) this.hidden.set(part, (this.hidden.get(part) ?? 0) + count);
  }

  /** The whole document, with its properties where readers of pages look for them. */
  toDocument({ title, author }: { title: string | null; author: string | null }): string {
    const head = new HtmlWriter();
    if (title !== null) head.element('title', title);
    if (author !== null) head.open('meta', { name: 'author', content: author });
    return `<!DOCTYPE html><html><head>${head.#parts.join('')}</head><body>${this.#parts.join('')}</body></html>`;
  }

  #add(html: string): void {
    if (this.isFull) return;
    const room = MAX_LENGTH - this.#length;
    if (html.length > room) this.isFull = true;
    const part = html.length > room ? html.slice(0, room) : html;
    this.#length += part.length;
    this.#parts.push(part);
  }
}
