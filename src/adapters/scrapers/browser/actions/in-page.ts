// Functions that are sent to the page as text, and run there: they may use nothing from here.

/** What they use of elements. */
interface Scrolls {
  readonly scrollLeft: number;
  readonly scrollHeight: number;
  scrollTo(to: { left: number; top: number; behavior: 'instant' }): void;
}
interface Alterable {
  readonly style?: { setProperty(name: string, value: string, priority: string): void };
  remove(): void;
}
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

export function hideAll(all: readonly unknown[]): number {
  for (const one of all as Alterable[]) one.style?.setProperty('display', 'none', 'important');
  return all.length;
}

export function removeAll(all: readonly unknown[]): number {
  for (const one of all as Alterable[]) one.remove();
  return all.length;
}
