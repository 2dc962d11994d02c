import type { Box, ElementBox } from '../../domain/captures.ts';

/** Elements that are looked at, the outer ones first, and boxes that are returned. */
const MAX_ELEMENTS = 20_000;
const MAX_BOXES = 500;
/** Characters. Elements with a longer one are nested far too deeply. */
const MAX_PATH = 1_000;
/** The smallest box, as a share of the viewport. */
const LEAST_SHARE = 0.01;

/**
 * Returns `[path, x, y, width, height]` of the large elements as JSON; the box is in CSS pixels, relative to the document.
 * Inside small elements none are looked for, unless these have no area, as with `display: contents`. A form may have fields
 * named like members of an element, so the members are taken from the prototype.
 */
export const ELEMENT_BOXES_SCRIPT = `(() => {
  const { getBoundingClientRect } = Element.prototype;
  const getterOf = (name) => Object.getOwnPropertyDescriptor(Element.prototype, name).get;
  const [nameOf, firstChild, nextSibling] = ['localName', 'firstElementChild', 'nextElementSibling'].map(getterOf);
  const least = innerWidth * innerHeight * ${LEAST_SHARE};
  const root = document.documentElement;
  const queue = root === null ? [] : [[root, root.localName + ':1']];
  const boxes = [];
  for (let next = 0; next < queue.length && boxes.length < ${MAX_BOXES}; next++) {
    const [element, path] = queue[next];
    const { x, y, width, height } = getBoundingClientRect.call(element);
    const area = width * height;
    if (area >= least) boxes.push([path, x + scrollX, y + scrollY, width, height]);
    else if (area > 0) continue;
    if (path.length > ${MAX_PATH}) continue;
    const counts = new Map();
    let child = firstChild.call(element);
    for (; child !== null && queue.length < ${MAX_ELEMENTS}; child = nextSibling.call(child)) {
      const name = nameOf.call(child);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      queue.push([child, path + '/' + name + ':' + counts.get(name)]);
    }
  }
  return JSON.stringify(boxes);
})()`;

type MeasuredBox = readonly [path: string, x: number, y: number, width: number, height: number];

interface Picture {
  /** Upper left corner of the picture in the document, CSS pixels. */
  readonly x: number;
  readonly y: number;
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number;
  /** In pixels of the picture. */
  readonly width: number;
  readonly height: number;
}

/** What `ELEMENT_BOXES_SCRIPT` returned, as boxes in the picture. Elements outside of it are left out. */
export function boxesInPicture(measured: unknown, picture: Picture): readonly ElementBox[] {
  if (typeof measured !== 'string') return [];
  return (JSON.parse(measured) as MeasuredBox[]).flatMap(([path, x, y, width, height]) => {
    const box = boxInPicture({ x, y, width, height }, picture);
    return box === null ? [] : { path, ...box };
  });
}

/** The part of a box of the document that is in the picture; null: there is none. */
function boxInPicture(box: Box, { x: left, y: top, scale, width, height }: Picture): Box | null {
  const within = (position: number, end: number) => Math.min(end, Math.max(0, Math.round(position * scale)));
  const x = within(box.x - left, width);
  const y = within(box.y - top, height);
  const right = within(box.x + box.width - left, width);
  const bottom = within(box.y + box.height - top, height);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}
