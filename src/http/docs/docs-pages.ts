import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fastify } from 'fastify';
import { escapeHtml } from './dashboard-pages.ts';

/** The script of the API reference: 4 MB of JavaScript, plain and compressed. */
export interface DocsScript {
  readonly bytes: Uint8Array;
  readonly gzip: Uint8Array;
  /** SHA-256 of `bytes`, base64url; for `ETag`. */
  readonly hash: string;
}

/** The API reference (Scalar) as it is sent to browsers. */
export interface DocsPages {
  readonly html: string;
  readonly script: DocsScript;
  /** `Content-Security-Policy` of the page: resources from this origin only, and only the scripts of the page. */
  readonly policy: string;
}

/**
 * Takes the page and the script from Scalar's plugin, by requests to a temporary server on which the plugin is registered.
 * @param basePath where the service is mounted, without the last slash: `` or `/sluice`
 */
export async function makeDocsPages(basePath: string): Promise<DocsPages> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: `${basePath}/api/v1/openapi.json`,
      pageTitle: 'Sluice API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // Links to services of Scalar, which would lead to other hosts.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      // The whole value of the header, because Scalar adds no prefix. In a copied command, only the key must be replaced.
      authentication: {
        preferredSecurityScheme: 'apiKey',
        securitySchemes: { apiKey: { value: 'Api-Key YOUR_KEY' } },
      },
    },
  });
  const page = await app.inject('/docs/');
  const script = await app.inject('/docs/js/scalar.js');
  await app.close();
  // The path of the script is relative to `/docs/`, and would be wrong on `/docs` without the slash.
  const html = page.payload
    .replace(/src="(?:\.\/)?js\//, `src="${basePath}/docs/js/`)
    .replace('<div id="app">', `${backLink(basePath)}$&`);
  const inlineHashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/gi)].map(
    ([, code]) => `'sha256-${createHash('sha256').update(code!).digest('base64')}'`,
  );
  const bytes = script.rawPayload;
  return {
    html,
    script: {
      bytes,
      gzip: await promisify(gzip)(bytes),
      hash: createHash('sha256').update(bytes).digest('base64url'),
    },
    policy: [
      "default-src 'none'",
      `script-src 'self' ${inlineHashes.join(' ')}`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

const backLink = (basePath: string): string =>
  `<a href="${escapeHtml(basePath)}/docs" style="display: block; padding: 0.6rem 1rem; font: 14px system-ui, sans-serif; background: light-dark(#fff, #121318); color: light-dark(#2a47bd, #93aefc)">← Documentation</a>`;
