import { lazyRouteComponent } from '@tanstack/react-router';

/** A lazily loaded chunk could not be loaded: the service does not respond, or was updated. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** What the different browsers say when a dynamic import could not be loaded. */
const NOT_LOADED = /dynamically imported module|module script|preload CSS/i;

/** @throws ChunkLoadError */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw NOT_LOADED.test(String(cause))
      ? new ChunkLoadError('a chunk of the dashboard could not be loaded', { cause })
      : cause;
  }
}

/** The component of a route. On errors, the router alone would reload the page, which fails without a network. */
export const lazyComponent = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => loadChunk(load), name);
