import { backgroundUrls } from './background-images.ts';
import type { ContentSelection } from './content-selection.ts';
import { attributeOf, elementsOf, type TreeNode, textContent } from './page-tree.ts';
import { parseHtml } from './parse-page.ts';
import { type ParsedPage, webUrl } from './parsed-page.ts';
import { parseSrcset } from './srcset.ts';
import { visitElements, wholePage } from './visit-elements.ts';

/** One of the files between which a browser can choose for an image. */
export interface ImageCandidate {
  readonly url: string;
  /** Of the file, in pixels; null if the page does not tell. */
  readonly width: number | null;
  /** Pixels of the file for each CSS pixel; null if the page does not tell. */
  readonly density: number | null;
}

/** An image in `scraper_data.images`. */
export interface PageImage {
  /** The best candidate. Absolute, http or https. */
  readonly url: string;
  /** null: the page has none; empty: the image is only decoration. */
  readonly alt: string | null;
  /** Size that the page gives the image, in CSS pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** All files, the best first. */
  readonly candidates: readonly ImageCandidate[];
}

const MAX_IMAGES = 5000;
const MAX_CANDIDATES = 50;
/** Limit of the `source` elements of one `picture`. */
const MAX_SOURCES = 20;
const MAX_ALT_LENGTH = 2000;
/** The markup in `noscript` is parsed for images. Longer markup, or more of it, is not the fallback of an image. */
const MAX_NOSCRIPT_LENGTH = 5000;
const MAX_NOSCRIPTS = 500;

/** Attributes in which scripts that load images late keep their URL. `src` then is a placeholder. */
const LAZY_URLS = [
  'data-src',
  'data-lazy-src',
  'data-original',
  'data-lazy',
  'data-original-src',
  'data-hi-res-src',
  'data-url',
  'data-image',
];
const LAZY_SRCSETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set'];

/**
 * The images of a page, each once: `img` with `picture`, `srcset` and lazy attributes, `image` of SVG, `input type=image`,
 * posters of videos, backgrounds of inline styles. Inlined images (`data:`) and tracking pixels are left out.
 * @param selection null: the whole page and the documents in its frames
 */
export function pageImages(
  page: ParsedPage,
  selection: ContentSelection | null,
): { readonly images: readonly PageImage[]; readonly truncated: boolean } {
  const collector = new ImageCollector();
  if (selection !== null) collector.collect(page, selection);
  else for (const document of [page, ...page.frames]) collector.collect(document, wholePage(document));
  return collector.result();
}

interface PictureState {
  /** The `source` elements of the open `picture`. They belong to its first image. */
  sources: readonly TreeNode[];
}

class ImageCollector {
  readonly #found = new Map<string, PageImage>();
  #truncated = false;
  #noscripts = 0;

  collect(page: ParsedPage, { roots, excluded }: ContentSelection): void {
    if (page.plainXml) return;
    const { base } = page.urls;
    // Added last: an image that is also outside of `noscript` keeps its position in the page.
    const fallbacks: TreeNode[] = [];
    visitElements<PictureState>(roots, { sources: [] }, (element, state) => {
      if (excluded.has(element)) return null;
      if (element.tagName === 'noscript') fallbacks.push(element);
      if (element.tagName === 'picture') return { sources: sourcesOf(element) };
      if (!isImage(element)) {
        for (const image of backgroundsOf(element, base)) this.#put(image);
        return state;
      }
      this.#add(element, state.sources, base);
      state.sources = [];
      return state;
    });
    for (const noscript of fallbacks) this.#addFallback(noscript, base);
  }

  result(): ReturnType<typeof pageImages> {
    return { images: [...this.#found.values()], truncated: this.#truncated };
  }

  /** With scripting, the content of `noscript` is text: often the image that a script loads late. */
  #addFallback(noscript: TreeNode, base: string): void {
    const markup = textContent(noscript, MAX_NOSCRIPT_LENGTH);
    if (!/<(?:img|picture)\b/i.test(markup) || ++this.#noscripts > MAX_NOSCRIPTS) return;
    for (const element of elementsOf(parseHtml(markup, false).root))
      if (isImage(element)) this.#add(element, [], base);
  }

  #add(element: TreeNode, sources: readonly TreeNode[], base: string): void {
    const image = this.#truncated ? null : imageOf(element, sources, base);
    if (image !== null) this.#put(image);
  }

  #put(image: PageImage): void {
    const known = this.#found.get(image.url);
    if (known === undefined && this.#found.size >= MAX_IMAGES) this.#truncated = true;
    else if (known === undefined) this.#found.set(image.url, image);
    else if (!known.alt && image.alt) this.#found.set(image.url, { ...known, alt: image.alt });
  }
}

const IMAGE_TAGS = new Set(['img', 'amp-img', 'image', 'input', 'video']);

function isImage({ tagName }: TreeNode): boolean {
  return IMAGE_TAGS.has(tagName!);
}

function sourcesOf(picture: TreeNode): TreeNode[] {
  return (picture.childNodes ?? []).filter(({ tagName }) => tagName === 'source').slice(0, MAX_SOURCES);
}

/** @param sources the `source` elements of its `picture` */
function imageOf(element: TreeNode, sources: readonly TreeNode[], base: string): PageImage | null {
  const candidates = new Candidates(base);
  switch (element.tagName) {
    case 'img':
    case 'amp-img':
      for (const source of sources) candidates.addSrcsets(source);
      candidates.addSrcsets(element);
      if (!candidates.addLazy(element)) candidates.addUrl(attributeOf(element, 'src'));
      break;
    case 'image':
      candidates.addUrl(attributeOf(element, 'href') ?? attributeOf(element, 'xlink:href'));
      break;
    case 'input':
      if (attributeOf(element, 'type')?.toLowerCase() === 'image')
        candidates.addUrl(attributeOf(element, 'src'));
      break;
    case 'video':
      candidates.addUrl(attributeOf(element, 'poster'));
      break;
  }
  const list = candidates.bestFirst();
  const [best] = list;
  if (best === undefined) return null;
  const width = pixelsOf(element, 'width');
  const height = pixelsOf(element, 'height');
  if (width !== null && width <= 1 && height !== null && height <= 1) return null;
  const alt = shortText(attributeOf(element, 'alt'));
  return { url: best.url, alt, width, height, candidates: list };
}

function backgroundsOf(element: TreeNode, base: string): PageImage[] {
  // Most elements have no attribute that could name one.
  if ((element.attrs?.length ?? 0) === 0) return [];
  const isNamed = attributeOf(element, 'role') === 'img';
  const alt = isNamed ? shortText(attributeOf(element, 'aria-label')) : null;
  return backgroundUrls(element).flatMap((written): PageImage[] => {
    const candidates = new Candidates(base);
    candidates.addUrl(written);
    const list = candidates.bestFirst();
    return list.map(({ url }) => ({ url, alt, width: null, height: null, candidates: list }));
  });
}

function shortText(written: string | null): string | null {
  return written?.slice(0, MAX_ALT_LENGTH).replace(/\s+/g, ' ').trim() ?? null;
}

function pixelsOf(element: TreeNode, name: string): number | null {
  const written = /^\s*(\d{1,6})(?:\.\d+)?(?:px)?\s*$/i.exec(attributeOf(element, name) ?? '');
  return written === null ? null : Number(written[1]);
}

class Candidates {
  readonly #base: string;
  readonly #list: ImageCandidate[] = [];
  readonly #known = new Set<string>();

  constructor(base: string) {
    this.#base = base;
  }

  addSrcsets(element: TreeNode): void {
    for (const name of [...LAZY_SRCSETS, 'srcset']) {
      const written = attributeOf(element, name);
      if (written === null) continue;
      for (const { url, width, density } of parseSrcset(written)) this.#add(url, width, density);
    }
  }

  /** @returns whether there is a lazy attribute with a URL */
  addLazy(element: TreeNode): boolean {
    for (const name of LAZY_URLS) {
      const written = attributeOf(element, name);
      // Scripts also keep ids and flags in such attributes.
      if (written !== null && /[./]/.test(written) && this.addUrl(written)) return true;
    }
    return false;
  }

  addUrl(written: string | null): boolean {
    return written !== null && this.#add(written, null, null);
  }

  /** The widest first, then those with the highest density. Of equal ones, the first in the page. */
  bestFirst(): ImageCandidate[] {
    return this.#list.sort(
      (one, other) => (other.width ?? 0) - (one.width ?? 0) || (other.density ?? 1) - (one.density ?? 1),
    );
  }

  #add(written: string, width: number | null, density: number | null): boolean {
    const text = written.trim();
    if (this.#list.length >= MAX_CANDIDATES) return true;
    const url = text === '' ? null : webUrl(text, this.#base);
    if (url === null) return false;
    if (this.#known.has(url)) return true;
    this.#known.add(url);
    this.#list.push({ url, width, density });
    return true;
  }
}
