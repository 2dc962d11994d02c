import type { HeaderList, Hop } from '../../../../domain/fetched.ts';
import type { Navigation } from './navigation.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Where the main frame has been: its navigations, and which of them counts. */
export class Journey {
  /** The one whose document is shown. */
  shown: Navigation | null = null;
  newest: Navigation | null = null;
  readonly #navs = new Map<string, Navigation>();
  /** What led to the shown document. */
  readonly #path: Hop[] = [];
  #last: Navigation | null = null;
  #ttfbMs = 0;

  find(loaderId: string): Navigation | undefined {
    return this.#navs.get(loaderId);
  }

  begin(nav: Navigation): void {
    this.#navs.set(nav.loaderId, nav);
    this.newest = nav;
  }

  /** Its document is shown. @returns false when it was before */
  show(nav: Navigation): boolean {
    if (nav === this.shown) return false;
    this.#path.push(...this.#before(nav));
    this.#ttfbMs += nav.ttfbMs;
    this.shown = nav;
    return true;
  }

  /** The visit ends with it in place of a shown document. */
  end(nav: Navigation | null): void {
    this.#last ??= nav;
  }

  /** The one that the result comes from, as far as it is known. */
  get decisive(): Navigation | null {
    return this.#last ?? this.shown ?? this.newest;
  }

  /** In their order; navigations that the page started have no status. */
  get redirects(): readonly Hop[] {
    const nav = this.decisive;
    return nav === null || nav === this.shown ? this.#path : [...this.#path, ...this.#before(nav)];
  }

  get requestHeaders(): HeaderList | null {
    return this.decisive?.requestHeaders ?? null;
  }

  /** Of all that led to the result together. */
  get ttfbMs(): number | null {
    const nav = this.decisive;
    if (nav === null || nav.answer === null) return null;
    return nav === this.shown ? this.#ttfbMs : this.#ttfbMs + nav.ttfbMs;
  }

  dispose(): void {
    for (const nav of this.#navs.values()) nav.dispose();
  }

  #before(nav: Navigation): readonly Hop[] {
    const { shown } = this;
    return shown === null
      ? nav.redirects
      : [{ url: withoutCredentials(shown.url), statusCode: null }, ...nav.redirects];
  }
}
