// Functions that are sent to the page as text, and run there in an isolated world: they may use nothing from here.

// What elements and documents have of their own may be hidden by fields and forms of the same names: it is taken from where
// all of them have it.

interface Style {
  setProperty(name: string, value: string, priority: string): void;
}
interface To {
  readonly left: number;
  readonly top: number;
  readonly behavior: 'instant';
}
declare const Element: {
  readonly prototype: {
    remove(): void;
    scrollTo(to: To): void;
    getElementsByTagName(name: string): { readonly length: number };
  };
};
declare const Document: { readonly prototype: object };
declare const document: object;
declare const window: { scrollTo(to: To): void };

export interface Where {
  readonly to: 'top' | 'bottom' | null;
  readonly x: number;
  readonly y: number;
}

export function scrollElement(element: unknown, { to, x, y }: Where): void {
  const of = (name: string): number => Reflect.get(Element.prototype, name, element);
  const left = to === null ? x : of('scrollLeft');
  const top = to === null ? y : to === 'top' ? 0 : of('scrollHeight');
  Element.prototype.scrollTo.call(element, { left, top, behavior: 'instant' });
}

export function scrollWindow(_root: unknown, { to, x, y }: Where): void {
  const ofDocument = (name: string): unknown => Reflect.get(Document.prototype, name, document);
  const page = ofDocument('scrollingElement');
  const of = (name: string): number =>
    Reflect.get(Element.prototype, name, page ?? ofDocument('documentElement'));
  const left = to === null ? x : of('scrollLeft');
  const top = to === null ? y : to === 'top' ? 0 : of('scrollHeight');
  // In quirks mode there may be no element that is scrolled with the window.
  if (page === null) window.scrollTo({ left, top, behavior: 'instant' });
  else Element.prototype.scrollTo.call(page, { left, top, behavior: 'instant' });
}

/** How much there is in what is scrolled, and how far that was done. */
export interface Extent {
  readonly top: number;
  /** What is to be seen of the height. */
  readonly seen: number;
  readonly height: number;
  readonly elements: number;
}

export function extentOfElement(element: unknown): Extent {
  const of = (name: string): number => Reflect.get(Element.prototype, name, element);
  const elements = Element.prototype.getElementsByTagName.call(element, '*').length;
  return { top: of('scrollTop'), seen: of('clientHeight'), height: of('scrollHeight'), elements };
}

export function extentOfPage(): Extent {
  const ofDocument = (name: string): unknown => Reflect.get(Document.prototype, name, document);
  const page = ofDocument('scrollingElement') ?? ofDocument('documentElement');
  const of = (name: string): number => Reflect.get(Element.prototype, name, page);
  const root = ofDocument('documentElement');
  const elements = Element.prototype.getElementsByTagName.call(root, '*').length;
  return { top: of('scrollTop'), seen: of('clientHeight'), height: of('scrollHeight'), elements };
}

export function hide(element: unknown): void {
  const style: Style | undefined = Reflect.get(Object.getPrototypeOf(element), 'style', element as object);
  style?.setProperty('display', 'none', 'important');
}

export function remove(element: unknown): void {
  Element.prototype.remove.call(element);
}
