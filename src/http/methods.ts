import type { FastifyInstance } from 'fastify';
import { failure } from '../domain/failure.ts';
import { Refusal } from './problem.ts';

/** What is answered where no route took the request: 405 with `Allow` where another method would do, else 404. */
export type NoRoute = (method: string, path: string) => Refusal;

/** Remembers the paths as they are registered. To be called before any route. */
export function rememberMethods(app: FastifyInstance): NoRoute {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // What answers preflights takes all paths: that says nothing of what is there.
    if (url === '*') return;
    const key = url.replace(/\/$/, '');
    const entry = paths.get(key) ?? { pattern: patternOf(key), methods: new Set() };
    paths.set(key, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  });
  return (method, path) => {
    for (const { pattern, methods } of paths.values()) {
      if (methods.has(method) || !pattern.test(path)) continue;
      const allow = [...methods].sort().join(', ');
      const message = `${method} is not allowed here; allowed: ${allow}.`;
      return new Refusal([failure('request.method', message)], { headers: { allow } });
    }
    return new Refusal([failure('request.not_found', `There is nothing at ${path.slice(0, 200)}.`)]);
  };
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}/?$`);
}
