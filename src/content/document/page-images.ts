import { backgroundUrls } from './background-images.ts';
import type { ContentSelection } from './content-selection.ts';
import { type ImageCandidate, ImageCandidates, imageFiles, sourcesOf } from './image-source.ts';
import { attributeOf, elementsOf, type TreeNode, textContent } from './page-tree.ts';
import { parseHtml } from './parse-page.ts';
import type { ParsedPage } from './parsed-page.ts';
import { visitElements, wholePage } from './visit-elements.ts';

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
const MAX_ALT_LENGTH = 2000;
/** The markup in `noscript` is parsed for images. Longer markup, or more of it, is not the fallback of an image. */
const MAX_NOSCRIPT_LENGTH = 5000;
const MAX_NOSCRIPTS = 500;

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

/** @param sources the `source` elements of its `picture` */
function imageOf(element: TreeNode, sources: readonly TreeNode[], base: string): PageImage | null {
  const candidates = new ImageCandidates(base);
  switch (element.tagName) {
    case 'img':
    case 'amp-img':
      return imageWith(element, imageFiles(element, sources, base));
    case 'image':
      candidates.addUrl(attributeOf(element, 'href') ?? attributeOf(element, 'xlink:href'));
      break;
    case 'input':
      if (attributeOf(element, 'type')?.toLowerCase() === 'image')
        candidates.addUrl(attributeOf(element, 'src'));
      break;
    case 'video':
      if (!candidates.addLazyPoster(element)) candidates.addUrl(attributeOf(element, 'poster'));
      break;
  }
  return imageWith(element, candidates.bestFirst());
}

function imageWith(element: TreeNode, list: readonly ImageCandidate[]): PageImage | null {
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
    const candidates = new ImageCandidates(base);
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
