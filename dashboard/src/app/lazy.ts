import { lazyRouteComponent } from '@tanstack/react-router';

/** A part of the dashboard that is loaded when it is first needed, and could not be: the service is away, or was updated. */
export class ChunkLoadError extends Error {
  override readonly name = 'PartMissing';
}

/** Each browser has words of its own for it. */
const NOT_LOADED = /dynamically imported module|module script|preload CSS/i;

/** @throws PartMissing */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw NOT_LOADED.test(String(cause))
      ? new ChunkLoadError('a part of the dashboard is missing', { cause })
      : cause;
  }
}

/** The component of a route. By itself the router would load the whole page anew, and without a network lose it. */
export const lazyComponent = <Part extends Record<string, unknown>, Name extends keyof Part>(
  load: () => Promise<Part>,
  name: Name,
) => lazyRouteComponent(() => loadChunk(load), name);
