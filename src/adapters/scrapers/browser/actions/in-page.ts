// Functions that are sent to the page as text, and run there: they may use nothing from here.

/** What they use of elements. */
interface Scrolls {
  readonly scrollLeft: number;
  readonly scrollHeight: number;
  scrollTo(to: { left: number; top: number; behavior: 'instant' }): void;
}
interface Style {
  setProperty(name: string, value: string, priority: string): void;
}
declare const Element: { readonly prototype: { remove(): void } };
declare const document: { readonly scrollingElement: Scrolls | null; readonly documentElement: Scrolls };
declare const window: Pick<Scrolls, 'scrollTo'>;

export interface Where {
  readonly to: 'top' | 'bottom' | null;
  readonly x: number;
  readonly y: number;
}

export function scrollElement(element: unknown, { to, x, y }: Where): void {
  const it = element as Scrolls;
  if (to === null) it.scrollTo({ left: x, top: y, behavior: 'instant' });
  else it.scrollTo({ left: it.scrollLeft, top: to === 'top' ? 0 : it.scrollHeight, behavior: 'instant' });
}

export function scrollWindow({ to, x, y }: Where): void {
  const it = document.scrollingElement ?? document.documentElement;
  if (to === null) window.scrollTo({ left: x, top: y, behavior: 'instant' });
  else window.scrollTo({ left: it.scrollLeft, top: to === 'top' ? 0 : it.scrollHeight, behavior: 'instant' });
}

export function heightOfPage(): number {
  return (document.scrollingElement ?? document.documentElement).scrollHeight;
}

// What a form has of its own is hidden by fields of the same names: it is taken from where all elements have it.

export function hideAll(all: readonly unknown[]): number {
  for (const one of all as object[]) {
    const style: Style | undefined = Reflect.get(Object.getPrototypeOf(one), 'style', one);
    style?.setProperty('display', 'none', 'important');
  }
  return all.length;
}

export function removeAll(all: readonly unknown[]): number {
  for (const one of all) Element.prototype.remove.call(one);
  return all.length;
}
