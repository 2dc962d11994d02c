/** Galleries show a picture again: as a slide for other screens, and as a thumbnail. Markdown has it once. */
import { attributeOf, type TreeNode } from '../../document/page-tree.ts';

/** Parameters by which servers of pictures choose size and format. */
const SIZE_PARAMETERS = new Set(
  `w h width height wid hei s sz size sw sh imwidth imheight resize fit crop scale dpr q qlt quality auto
  fm fmt format strip`.split(/\s+/),
);
/** The same as a part of the path: `w_300,c_fill` or `width=300,quality=80`. */
const SIZE_SEGMENT = /^(?=.*(?:^|,)(?:w|h|width|height)[_=]\d)[a-z]+[_=][\w.:-]+(?:,[a-z]+[_=][\w.:-]+)*$/;
/** The same in the name of the file: `a-300x200.jpg`, `a_300x.jpg`, `a@2x.jpg`, `300px-a.jpg`. */
const SIZE_IN_NAME =
  /^\d{2,4}px-|[-_](?:\d{3,4}x\d{0,4}|\d{0,2}x\d{3,4})(?=@|\.\w{3,5}$)|@[1-4]x(?=\.\w{3,5}$)/g;
/** Pictures up to this size are signs. Several of them are a number, such as stars. */
const MAX_SIGN = 48;

/** The URL of a picture without what only chooses its size: URLs of the same picture have the same one. */
export function pictureOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const segments = parsed.pathname.split('/').filter((segment) => !SIZE_SEGMENT.test(segment));
  const name = segments.pop() ?? '';
  const parameters = parsed.search
    .slice(1)
    .split('&')
    .filter((parameter) => !SIZE_PARAMETERS.has(parameter.split('=', 1)[0]!.toLowerCase()));
  return [parsed.host, ...segments, name.replaceAll(SIZE_IN_NAME, ''), ...parameters].join('/');
}

const isSign = (image: TreeNode): boolean =>
  ['width', 'height'].some((name) => {
    const pixels = Number.parseInt(attributeOf(image, name) ?? '', 10);
    return pixels <= MAX_SIGN;
  });

/** Remembers the pictures since the last text. */
export class RepeatedPictures {
  readonly #seen = new Map<string, { readonly url: string; readonly parent: TreeNode | null }>();

  /** Text stands between pictures: each has its own place. */
  seeText(text: string): void {
    if (this.#seen.size > 0 && /\S/.test(text)) this.#seen.clear();
  }

  /** Whether the picture was seen already. The same file several times in one element is meant so. */
  isRepeated(image: TreeNode, url: string): boolean {
    if (isSign(image)) return false;
    const key = pictureOf(url);
    const before = this.#seen.get(key);
    if (before !== undefined) return before.url !== url || before.parent !== image.parentNode;
    this.#seen.set(key, { url, parent: image.parentNode });
    return false;
  }
}
