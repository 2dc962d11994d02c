/** Elements whose inside is not shown as text, and in which tags are not tags (or not of this document). */
const RAW: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'title',
  'textarea',
  'object',
  'math',
]);

export const isRawName = (name: string): boolean => RAW.has(name);

const LONGEST_NAME = 8;
const SHORTEST_NAME = 3;

/** The name of the raw element that begins at `at` (a `<`); null: it is another tag. */
export function rawElementAt(html: string, at: number): string | null {
  let end = at + 1;
  for (; end - at <= LONGEST_NAME + 1; end++) {
    const letter = html.charCodeAt(end) | 0x20;
    if (!(letter >= 0x61 && letter <= 0x7a)) break;
  }
  const length = end - at - 1;
  if (length < SHORTEST_NAME || length > LONGEST_NAME) return null;
  const name = html.slice(at + 1, end).toLowerCase();
  return RAW.has(name) ? name : null;
}

/** Where the end tag of a raw element begins, after `from`; the length of the text when there is none. */
export function rawEnd(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2))
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
  return html.length;
}

/** Where the tag that begins at `at` ends: the place of its `>`. Quoted values may hold one (HTML §13.2.5). */
export function tagEnd(html: string, at: number): number {
  const { length } = html;
  for (let i = at + 1; i < length; i++) {
    const code = html.charCodeAt(i);
    if (code === 0x3e) return i;
    if ((code === 0x22 || code === 0x27) && html.charCodeAt(i - 1) === 0x3d) {
      const close = html.indexOf(code === 0x22 ? '"' : "'", i + 1);
      if (close === -1) return length;
      i = close;
    }
  }
  return length;
}
