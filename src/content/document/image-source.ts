/** Which picture an `img` shows: pages that load pictures late state it in other attributes than `src`. */
import { attributeOf, elementsOf, type TreeNode, textContent } from './page-tree.ts';
import { parseHtml } from './parse-page.ts';
import { webUrl } from './parsed-page.ts';
import { parseSrcset } from './srcset.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Attributes in which scripts that load pictures late keep the URL: lazysizes, vanilla-lazyload, lozad, jQuery's plugins,
 * sliders, plugins of WordPress, CDNs, forums. `src` is then a placeholder. Those with the largest picture come first.
 */
const LAZY_URLS = words(`
  data-src data-lazy-src data-original data-lazy data-lazyload data-lazy-load data-lazyload-src data-lazy-original data-lazy-url
  data-lazy-img data-lazy-image data-lazyimg data-lazysrc data-lazy_src data-lazyloaded-src data-original-src data-hi-res-src
  data-img-src data-img-url data-image-src data-image-url data-imgsrc data-srclazy data-echo data-unveil data-layzr data-blazy
  data-ll-src data-swiper-src data-splide-lazy data-flickity-lazyload data-flickity-lazyload-src data-glide-src data-owl-src
  data-defer-src data-deferred-src data-deferred data-delayed-url data-delay-src data-delayed-src data-ghost-url data-actualsrc
  data-actual-src data-real-src data-realsrc data-final-src data-true-src data-cfsrc data-ezsrc data-nitro-lazy-src
  nitro-lazy-src data-opt-src data-wpfc-original-src data-wp-src data-pagespeed-lazy-src data-pagespeed-high-res-src
  data-amp-src data-async-src data-load-src data-responsive-src data-crazylazy data-dt-lazy-src lazy-src lazysrc lazyload-src
  original-src real_src
`);
/** Attributes that also hold other things, such as the URL of a page: they count if their value is a file with a picture. */
const SOMETIMES_LAZY = words(`
  data-url data-image data-img data-source data-normal data-actual data-real data-defer data-full-src 
  data-hidden-src data-thumb-src data-thumbnail data-photo data-pic file zoomfile
`);
/** The same as a `srcset`. */
const LAZY_SRCSETS = words(`
  data-srcset data-lazy-srcset data-original-set data-original-srcset data-lazyload-srcset data-lazysrcset data-lazy-set
  data-flickity-lazyload-srcset data-splide-lazy-srcset data-swiper-srcset data-ll-srcset data-cfsrcset data-ezsrcset
  data-nitro-lazy-srcset nitro-lazy-srcset data-opt-srcset data-wpfc-original-srcset data-delayed-srcset data-defer-srcset
  data-deferred-srcset data-img-srcset data-image-srcset data-real-srcset data-responsive-srcset lazy-srcset lazysrcset
`);
/** The same for backgrounds: a URL, or `url(…)`. */
export const LAZY_BACKGROUNDS = words(`
  data-bg data-background-image data-background data-bg-url data-bg-image data-bgimage data-lazy-bg data-lazy-background
  data-lazy-background-image data-background-src data-background-url data-bg-src data-src-bg data-bgsrc data-bg-multi
  data-bg-hidpi data-ll-bg data-cfbg data-defer-bg data-delayed-background-image data-image-src data-parallax-image
  data-vc-parallax-image data-swiper-background data-nitro-lazy-bg data-opt-bg data-setbg data-thumbnail-bg data-lazy-bgset
`);
/** As `srcset`, of lazysizes. */
export const LAZY_BACKGROUND_SET = 'data-bgset';
/** As `LAZY_URLS`, for the poster of a video. */
const LAZY_POSTERS = ['data-poster', 'data-lazy-poster', 'data-lazy-src-poster'];

const MAX_SOURCES = 20;
const MAX_CANDIDATES = 50;
/** The markup in `noscript` is read for pictures. Longer markup is not the fallback of a picture. */
const MAX_NOSCRIPT_LENGTH = 5000;
const MAX_FALLBACKS = 20;

/** One of the files between which a browser can choose for an image. */
export interface ImageCandidate {
  readonly url: string;
  /** Of the file, in pixels; null if the page does not tell. */
  readonly width: number | null;
  /** Pixels of the file for each CSS pixel; null if the page does not tell. */
  readonly density: number | null;
}

/** A collection of files, each once, as http(s) URLs. */
export class ImageCandidates {
  readonly #base: string;
  readonly #list: ImageCandidate[] = [];
  readonly #known = new Set<string>();

  constructor(base: string) {
    this.#base = base;
  }

  addSrcsets(element: TreeNode): void {
    for (const name of LAZY_SRCSETS) this.#addSrcset(attributeOf(element, name));
    this.#addSrcset(attributeOf(element, 'srcset'));
  }

  addLazySrcsets(element: TreeNode): void {
    for (const name of LAZY_SRCSETS) this.#addSrcset(attributeOf(element, name));
  }

  /** @returns whether there is a lazy attribute with a URL */
  addLazy(element: TreeNode): boolean {
    // Most elements have few attributes, and the table is long.
    const { attrs = [] } = element;
    if (!attrs.some(({ name }) => IS_LAZY.has(name))) return false;
    const isFile = (name: string) => PICTURE_FILE.test(attributeOf(element, name) ?? '');
    return (
      LAZY_URLS.some((name) => this.#addLazyUrl(attributeOf(element, name))) ||
      SOMETIMES_LAZY.some((name) => isFile(name) && this.addUrl(attributeOf(element, name)))
    );
  }

  addLazyPoster(video: TreeNode): boolean {
    return LAZY_POSTERS.some((name) => this.#addLazyUrl(attributeOf(video, name)));
  }

  /** Any other attribute whose value is the URL of a file with a picture, for what no table knows. */
  addUnknown({ attrs = [] }: TreeNode): boolean {
    for (const { name, value } of attrs)
      if (!NOT_LAZY.has(name) && PICTURE_FILE.test(value) && this.addUrl(value)) return true;
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

  /** Scripts also keep ids, flags and templates in such attributes. */
  #addLazyUrl(written: string | null): boolean {
    return written !== null && /[./]/.test(written) && !/[{}<>]/.test(written) && this.addUrl(written);
  }

  #addSrcset(written: string | null): void {
    if (written === null) return;
    for (const { url, width, density } of parseSrcset(written)) this.#add(url, width, density);
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

const IS_LAZY: ReadonlySet<string> = new Set([...LAZY_URLS, ...SOMETIMES_LAZY]);
/** Attributes that name other things than the picture itself, or that are read by themselves. */
const NOT_LAZY: ReadonlySet<string> = new Set(
  'src srcset alt title href id class style sizes usemap longdesc onerror onload aria-label data-fallback data-placeholder'.split(
    ' ',
  ),
);
const PICTURE_FILE =
  /^\s*(?:https?:)?[^\s,{}<>"']{1,2000}\.(?:jpe?g|png|webp|avif|gif)(?:[?#][^\s<>"']{0,2000})?\s*$/i;

/** The picture that a script shows behind an element: the plugins for `img` do so for others, with the same attributes. */
export function lazyBackground({ tagName, attrs = [] }: TreeNode): string | null {
  if (OTHER_FILES.has(tagName!)) return null;
  const found = attrs.find(({ name, value }) => IS_LAZY.has(name) && PICTURE_FILE.test(value));
  return found?.value.trim() ?? null;
}

/** Elements whose lazy attributes are about other files, or are read elsewhere. */
const OTHER_FILES: ReadonlySet<string> = new Set(
  'img amp-img source video audio iframe embed object script link a input'.split(' '),
);
/** Names of files that stand for a picture until it is loaded. */
const PLACEHOLDER =
  /(?:^|[/_.-])(?:blank|spacer|placeholder|place-holder|transparent|transp|trans|loading|loader|lazy|lazyload|lazy-load|pixel|dummy|empty|none|1x1|1px|grey|gray|clear|preload|spinner)\d{0,2}(?:[-_.][\w-]{0,20})?\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)/i;

/** Whether a URL is that of a picture of its own, not one that stands for others. */
const isOwn = (url: string | undefined): url is string => url !== undefined && !PLACEHOLDER.test(url);

/**
 * The absolute URL of an `img`, http(s); null if there is none. A `data:` URL is none. An attribute of late loading counts
 * more than `src`, which is then a placeholder; `srcset` and the sources of the `picture` count less. Where only a placeholder
 * is left, the picture is that of the `noscript` beside it.
 */
export function imageSource(image: TreeNode, base: string): string | null {
  const late = lateSource(image, base);
  if (late !== null) return late;
  const src = new ImageCandidates(base);
  src.addUrl(attributeOf(image, 'src'));
  const own = src.bestFirst()[0]?.url;
  if (isOwn(own)) return own;
  const others = new ImageCandidates(base);
  for (const node of [image, ...pictureSources(image)]) {
    others.addSrcsets(node);
    const [best] = others.bestFirst();
    if (isOwn(best?.url)) return best.url;
  }
  if (others.addUnknown(image)) return others.bestFirst()[0]!.url;
  const fallback = fallbackBeside(image);
  return (fallback === null ? null : imageSource(fallback, base)) ?? own ?? null;
}

function lateSource(image: TreeNode, base: string): string | null {
  const late = new ImageCandidates(base);
  if (!late.addLazy(image))
    for (const node of [image, ...pictureSources(image)]) {
      late.addLazySrcsets(node);
      if (late.bestFirst().length > 0) break;
    }
  return late.bestFirst()[0]?.url ?? null;
}

/** The alternative text of an `img`, or that of the picture in the `noscript` beside it. */
export function imageAlt(image: TreeNode): string {
  const alt = attributeOf(image, 'alt')?.trim() ?? '';
  if (alt !== '') return alt;
  const fallback = fallbackBeside(image);
  return fallback === null ? '' : (attributeOf(fallback, 'alt')?.trim() ?? '');
}

/** All files of an `img` of which the page tells. @param sources the `source` elements of its `picture` */
export function imageFiles(
  image: TreeNode,
  sources: readonly TreeNode[],
  base: string,
): readonly ImageCandidate[] {
  const files = new ImageCandidates(base);
  for (const source of sources) files.addSrcsets(source);
  files.addSrcsets(image);
  if (files.addLazy(image)) return files.bestFirst();
  const src = attributeOf(image, 'src')?.trim() ?? '';
  const isPlaceholder = src === '' || src.startsWith('data:') || PLACEHOLDER.test(src);
  // A placeholder beside the picture itself is not a candidate.
  if (isPlaceholder && (files.bestFirst().length > 0 || files.addUnknown(image))) return files.bestFirst();
  const fallback = isPlaceholder ? fallbackBeside(image) : null;
  const behind = fallback === null ? [] : imageFiles(fallback, pictureSources(fallback), base);
  if (behind.length > 0) return behind;
  files.addUrl(src);
  return files.bestFirst();
}

const pictureSources = (image: TreeNode): readonly TreeNode[] =>
  image.parentNode?.tagName === 'picture' ? sourcesOf(image.parentNode) : [];

export const sourcesOf = (picture: TreeNode): readonly TreeNode[] =>
  (picture.childNodes ?? []).filter(({ tagName }) => tagName === 'source').slice(0, MAX_SOURCES);

/** The pictures in each `noscript` that was looked at. */
const FALLBACKS = new WeakMap<TreeNode, readonly TreeNode[]>();

/**
 * The pictures of a `noscript`, which it has for readers without scripts. With scripting its content is text, which is parsed.
 * Empty if there is more in it than pictures, such as a request to turn on scripts.
 */
function fallbackImages(noscript: TreeNode): readonly TreeNode[] {
  const known = FALLBACKS.get(noscript);
  if (known !== undefined) return known;
  const found = readFallback(noscript);
  FALLBACKS.set(noscript, found);
  return found;
}

function readFallback(noscript: TreeNode): readonly TreeNode[] {
  let root = noscript;
  if (!(noscript.childNodes ?? []).some(({ tagName }) => tagName !== undefined)) {
    const markup = textContent(noscript, MAX_NOSCRIPT_LENGTH + 1);
    if (markup.length > MAX_NOSCRIPT_LENGTH || !/<(?:img|picture)\b/i.test(markup)) return [];
    ({ root } = parseHtml(markup, false));
  }
  const images: TreeNode[] = [];
  for (const element of elementsOf(root)) {
    if (element.tagName === 'img' && images.push(element) > MAX_FALLBACKS) return [];
    if (element.tagName === 'script' || element.tagName === 'iframe') return [];
  }
  return images.length > 0 && textContent(root, MAX_NOSCRIPT_LENGTH).trim() === '' ? images : [];
}

/**
 * The pictures of a `noscript` that the page shows nowhere else: those beside an `img` stand for it. Counters of visits are
 * left out: pictures without size, hidden ones, and those whose URL names no file of a picture.
 */
export function pictureOfNoscript(noscript: TreeNode, base: string): readonly TreeNode[] {
  const images = fallbackImages(noscript);
  if (images.length === 0 || [-1, 1].some((step) => imageBeside(noscript, step) !== null)) return [];
  return images.filter((image) => {
    if (isTrackingPixel(image) || /display\s*:\s*none|-\d{3,}px/i.test(attributeOf(image, 'style') ?? ''))
      return false;
    const source = imageSource(image, base);
    return source !== null && ((attributeOf(image, 'alt') ?? '').trim() !== '' || PICTURE_FILE.test(source));
  });
}

/** The picture in the `noscript` that follows an `img`, or stands before it; also around its `picture` or link. */
function fallbackBeside(image: TreeNode): TreeNode | null {
  for (let node: TreeNode | null = image; node?.tagName !== undefined; node = node.parentNode) {
    for (const step of [1, -1]) {
      const sibling = siblingOf(node, step);
      const [first] = sibling?.tagName === 'noscript' ? fallbackImages(sibling) : [];
      if (first !== undefined) return first;
    }
    if (!isAlone(node)) return null;
  }
  return null;
}

/** The `img` beside a `noscript`, also within a `picture`, link or span of its own. */
function imageBeside(noscript: TreeNode, step: number): TreeNode | null {
  let node = siblingOf(noscript, step);
  for (let depth = 0; node !== null && depth < MAX_WRAPPERS; depth++) {
    if (node.tagName === 'img' || node.tagName === 'amp-img') return node;
    const inside: TreeNode[] = (node.childNodes ?? []).filter(isContent);
    node = inside.find(({ tagName }) => tagName === 'img') ?? (inside.length === 1 ? inside[0]! : null);
  }
  return null;
}

const MAX_WRAPPERS = 4;
/** Siblings that are looked at. */
const MAX_SIBLINGS = 3;

const isContent = ({ tagName, value }: TreeNode): boolean =>
  tagName === undefined ? value !== undefined && value.trim() !== '' : tagName !== 'source';

/** Whether an element is all that its parent holds, apart from `noscript`, and the parent only wraps it. */
function isAlone(node: TreeNode): boolean {
  const parent = node.parentNode;
  if (parent == null || !WRAPPERS.has(parent.tagName ?? '')) return false;
  return (parent.childNodes ?? []).every((one) => one === node || !isContent(one));
}

const WRAPPERS: ReadonlySet<string> = new Set(['picture', 'a', 'span']);

/** The next or previous element, if no text stands between. */
function siblingOf(node: TreeNode, step: number): TreeNode | null {
  const siblings = node.parentNode?.childNodes ?? [];
  const index = siblings.indexOf(node);
  for (let at = index + step, seen = 0; seen < MAX_SIBLINGS; at += step, seen++) {
    const sibling = siblings[at];
    if (sibling === undefined || (sibling.value !== undefined && sibling.value.trim() !== '')) return null;
    if (sibling.tagName !== undefined) return sibling;
  }
  return null;
}

/** Pictures that only count visits. */
export function isTrackingPixel(image: TreeNode): boolean {
  return ['width', 'height'].every((name) => /^[01](?:px)?$/.test(attributeOf(image, name)?.trim() ?? ''));
}
