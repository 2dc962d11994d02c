import type { Job } from '../../../../domain/job.ts';

/** What the caller adds to a navigation of theirs; it changes from redirect to redirect. */
export interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly hasBody: boolean;
  /** A redirect made it a GET: what described a body is gone with it. */
  readonly turned: boolean;
  /** It has not left the origin that the caller's credentials are for. */
  readonly authorized: boolean;
}

export function firstOutgoing({ url, method, body }: Job): Outgoing {
  return { url, method, hasBody: body !== null, turned: false, authorized: true };
}

/** Fetch standard, "HTTP-redirect fetch"; contract §1 for `Authorization`. @param to with the fragment that it inherits */
export function redirectedTo(from: Outgoing, to: URL, method: string): Outgoing {
  const turned = from.turned || (method === 'GET' && from.method !== 'GET');
  return {
    url: to.href,
    method,
    hasBody: from.hasBody && !turned,
    turned,
    authorized: from.authorized && to.origin === new URL(from.url).origin,
  };
}
