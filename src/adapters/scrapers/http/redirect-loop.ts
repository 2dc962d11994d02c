import { type Failure, failure } from '../../../domain/failure.ts';

/**
 * Redirects that go in a circle. A site may redirect to the same URL once it has set a cookie, or once by itself: a loop is a
 * request that was redirected, was sent again just the same, and was redirected again.
 */
export class RedirectLoop {
  readonly #redirected = new Set<string>();

  /** A request was redirected. @param sent what made it what it was, beside its URL: method and cookies */
  failureOf(url: URL | string, ...sent: readonly (string | null)[]): Failure | null {
    const href = String(url).split('#', 1)[0]!;
    const key = JSON.stringify([href, ...sent]);
    if (!this.#redirected.has(key)) {
      this.#redirected.add(key);
      return null;
    }
    return failure('redirect.too_many', `The redirects go in a loop: they lead back to ${href}.`, {
      details: { loop: href },
    });
  }

  /** A cookie was set: the same request is another one now. */
  clear(): void {
    this.#redirected.clear();
  }
}
