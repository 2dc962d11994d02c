import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fastify } from 'fastify';

/** 4 MB of JavaScript, as it is and packed. */
export interface DocsScript {
  readonly bytes: Uint8Array;
  readonly gzip: Uint8Array;
  /** Of `bytes`; good in an `ETag`. */
  readonly hash: string;
}

/** The pages that show the API to people, ready to send. */
export interface DocsPages {
  readonly html: string;
  readonly script: DocsScript;
  /** `Content-Security-Policy` of the page: nothing from elsewhere, no script but these. */
  readonly policy: string;
}

/** @param basePath where the service is mounted, without the last slash: `` or `/sluice` */
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
      // Offers of its maker that would leave this host.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      // The whole value of the header: Scalar knows no prefix. Copied commands need only the key filled in.
      authentication: {
        preferredSecurityScheme: 'apiKey',
        securitySchemes: { apiKey: { value: 'Api-Key YOUR_KEY' } },
      },
    },
  });
  const page = await app.inject('/docs/');
  const script = await app.inject('/docs/js/scalar.js');
  await app.close();
  // Its link is relative to a last slash, which our paths may or may not have.
  const html = page.payload.replace(/src="(?:\.\/)?js\//, `src="${basePath}/docs/js/`);
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/gi)].map(
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
      `script-src 'self' ${inline.join(' ')}`,
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
