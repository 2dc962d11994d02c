import { endsName, isLetter, RAW_NAMES } from './raw-element.ts';

/** What the name of an element tells of it. */
export interface Tag {
  /** Lower-case; '' for all elements that mean nothing here. */
  readonly name: string;
  /** Its inside is not shown as text, and tags in it are not tags. */
  readonly raw: boolean;
  /** It stands within a word or a sentence. */
  readonly inline: boolean;
  /** A paragraph, list item, cell, heading. */
  readonly block: boolean;
  /** A picture, film, frame, drawing. */
  readonly media: boolean;
  /** Scripts put the page into it. */
  readonly mount: boolean;
}

const INLINE = words('b i em strong span a u s small sup sub code font wbr');
const BLOCKS = words('p li td dd h1 h2 h3 h4 article section pre blockquote');
const MEDIA = words('img video audio canvas picture embed frame svg iframe object');
const MOUNTS = words('app-root my-app app-main');
const FIELDS = words('input select textarea meta');

const OTHER: Tag = { name: '', raw: false, inline: false, block: false, media: false, mount: false };

/** One look tells all that is known of a name. */
const TAGS: ReadonlyMap<string, Tag> = new Map(
  [...RAW_NAMES, ...INLINE, ...BLOCKS, ...MEDIA, ...MOUNTS, ...FIELDS].map((name) => [
    name,
    {
      name,
      raw: RAW_NAMES.has(name),
      inline: INLINE.has(name),
      block: BLOCKS.has(name),
      media: MEDIA.has(name),
      mount: MOUNTS.has(name),
    },
  ]),
);
const LONGEST_NAME = Math.max(...[...TAGS.keys()].map(({ length }) => length));

/** The tag whose name begins at `at`, in letters of either case. */
export function tagAt(html: string, at: number): Tag {
  if (!isLetter(html.charCodeAt(at))) return OTHER;
  const most = Math.min(html.length, at + LONGEST_NAME + 1);
  let capitals = false;
  let end = at;
  for (; end < most; end++) {
    const code = html.charCodeAt(end);
    if (endsName(code)) break;
    if (code <= 0x5a && code >= 0x41) capitals = true;
  }
  const name = html.slice(at, end);
  return TAGS.get(capitals ? name.toLowerCase() : name) ?? OTHER;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
