import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Dashboard, DashboardState } from '../../ports/dashboard.ts';
import { Refusal } from '../core/refusal.ts';
import { acceptedCoding, entityTag, matchesEntityTag } from '../core/request-headers.ts';
import {
  basePathOf,
  buildingHtml,
  DASHBOARD_PATHS,
  dashboardHtml,
  failedHtml,
  pageHeaders,
} from '../docs/dashboard-pages.ts';

export interface DashboardDeps {
  readonly dashboard: Dashboard;
  readonly baseUrl: () => string;
}

/** Registers the dashboard's pages and assets. They need no sign-in, because all data that they show comes from the API. */
export function registerDashboard(app: FastifyInstance, { dashboard, baseUrl }: DashboardDeps): void {
  for (const path of DASHBOARD_PATHS) {
    app.get(path, async (_request, reply) => sendPage(reply, dashboard.state(), baseUrl()));
  }

  app.get<{ Params: { name: string } }>('/assets/:name', async ({ params, headers }, reply) => {
    const state = dashboard.state();
    const asset = state.kind === 'ready' ? state.files.assets.get(params.name) : undefined;
    if (asset === undefined) throw Refusal.of('request.not_found', 'There is no such file.');
    const { bytes, br, gzip, type, hash } = asset;
    const coding = acceptedCoding(
      headers['accept-encoding'],
      (['br', 'gzip'] as const).filter((name) => asset[name] !== null),
    );
    const etag = entityTag(hash, coding);
    reply.headers({
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
    if (coding !== null) reply.header('content-encoding', coding);
    return reply.header('content-type', type).send(coding === 'br' ? br : coding === 'gzip' ? gzip : bytes);
  });
}

function sendPage(reply: FastifyReply, state: DashboardState, baseUrl: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  reply.headers(pageHeaders(nonce, state.kind === 'building'));
  const basePath = basePathOf(baseUrl);
  if (state.kind === 'ready') return reply.send(dashboardHtml(state.files, nonce, basePath));
  reply.code(503).header('retry-after', '2');
  return reply.send(
    state.kind === 'building' ? buildingHtml(nonce, basePath) : failedHtml(nonce, basePath, state.why),
  );
}
