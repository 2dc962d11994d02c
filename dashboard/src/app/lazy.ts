import { lazyRouteComponent } from '@tanstack/react-router';

/** A lazily loaded chunk could not be loaded: the service does not respond, or was updated. */
export class ChunkLoadError extends Error {
  override readonly name = 'PartMissing';
}

/** Messages of different browsers. */
const NOT_LOADED = /dynamically imported module|module script|preload CSS/i;

/** @throws ChunkLoadError */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw NOT_LOADED.test(String(cause))
      ? new ChunkLoadError('a part of the dashboard is missing', { cause })
      : cause;
  }
}

/** The component of a route. On errors, the router alone would reload the page, which fails without a network. */
export const lazyComponent = <Part extends Record<string, unknown>, Name extends keyof Part>(
  load: () => Promise<Part>,
  name: Name,
) => lazyRouteComponent(() => loadChunk(load), name);
