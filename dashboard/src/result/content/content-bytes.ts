import type { ScrapeShape } from '../scrape-shape.ts';

/** How many bytes the content has; null when there is none. */
export function contentBytes({ content, content_encoding }: ScrapeShape): number | null {
  if (content === null) return null;
  if (content_encoding === 'base64') {
    const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0;
    return (content.length / 4) * 3 - padding;
  }
  return utf8Length(content);
}

/** Without making the bytes: a content may be large. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // A surrogate pair is four bytes in two units, so each half adds one.
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return length;
}
