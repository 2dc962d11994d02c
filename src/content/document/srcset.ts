/** An image of a `srcset`, its URL as written. */
export interface SrcsetImage {
  readonly url: string;
  /** In CSS pixels (`480w`); null if it is not stated. */
  readonly width: number | null;
  /** Pixels for each CSS pixel (`2x`); null if it is not stated. */
  readonly density: number | null;
}

const MAX_IMAGES = 50;
const MAX_LENGTH = 50_000;
const WHITE_SPACE_OR_COMMA = /[\s,]+/y;
const URL_TOKEN = /\S+/y;
const DESCRIPTORS = /[^,]*/y;

/** Parses `srcset` (WHATWG HTML §4.8.4.3.9). URLs may contain commas, but not end in one. */
export function parseSrcset(written: string): SrcsetImage[] {
  const text = written.slice(0, MAX_LENGTH);
  const images: SrcsetImage[] = [];
  let index = 0;
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = index;
    const found = pattern.exec(text)?.[0] ?? '';
    index += found.length;
    return found;
  };
  while (images.length < MAX_IMAGES) {
    match(WHITE_SPACE_OR_COMMA);
    const token = match(URL_TOKEN);
    if (token === '') break;
    const url = token.replace(/,+$/, '');
    // A comma ends the image; else its descriptors follow.
    const descriptors = url.length < token.length ? '' : match(DESCRIPTORS);
    const size = /(?:^|\s)(\d{1,6}(?:\.\d+)?)([wx])(?:\s|$)/.exec(descriptors);
    const number = size === null ? null : Number(size[1]);
    images.push({
      url,
      width: size?.[2] === 'w' ? number : null,
      density: size?.[2] === 'x' ? number : null,
    });
  }
  return images;
}
