/** Elements whose inside is not shown as text, and in which tags are not tags (or not of this document). */
export const RAW_NAMES: ReadonlySet<string> = new Set([
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

export const isRawName = (name: string): boolean => RAW_NAMES.has(name);

export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Whether a tag's name ends before this character (HTML §13.2.5.8): `svg-icon` is not `svg`. */
export const endsName = (code: number | undefined): boolean =>
  code === undefined || code <= 0x20 || code === 0x2f || code === 0x3e;

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
