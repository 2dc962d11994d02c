import { Type } from 'typebox';
import { Problem } from '../answer/answer-schema.ts';
import type { Content, Operation } from './operation.ts';
import { ProxiesState, ProxyChoices } from './proxies-schema.ts';
import { json, refusals } from './responses.ts';
import { ErrorsTable, Health, Readiness, ScraperList } from './service-schema.ts';

const text = (description: string, type: string): Content => ({
  description,
  content: { [type]: Type.String() },
});
const PUBLIC = { scope: null, tag: 'Service', method: 'get' } as const;
const NOT_FOUND: Content = {
  description: 'Not for callers from elsewhere: `request.not_found`.',
  content: { 'application/problem+json': Problem },
};

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/scrapers/',
    operationId: 'listScrapers',
    tag: 'Service',
    summary: 'List scrapers, the browsers of this machine, and why one is not available',
    scope: 'read',
    responses: { '200': json('The scrapers.', ScraperList), ...refusals({ scope: 'read' }) },
  },
  {
    method: 'get',
    path: '/api/v1/proxies/',
    operationId: 'listProxies',
    tag: 'Service',
    summary: 'Proxy pools: health, traffic and cost of each proxy, without credentials',
    description: 'For administrators.',
    scope: 'admin',
    responses: { '200': json('The pools.', ProxiesState), ...refusals({ scope: 'admin' }) },
  },
  {
    method: 'get',
    path: '/api/v1/proxies/choices/',
    operationId: 'listProxyChoices',
    tag: 'Service',
    summary: 'Which pools and countries may be asked for',
    scope: 'read',
    responses: { '200': json('The choices.', ProxyChoices), ...refusals({ scope: 'read' }) },
  },
  {
    ...PUBLIC,
    path: '/api/v1/errors/',
    operationId: 'listErrors',
    summary: 'Every error code',
    description: 'As HTML when the caller prefers it.',
    responses: {
      '200': {
        description: 'The codes.',
        content: { 'application/json': ErrorsTable, 'text/html': Type.String() },
      },
      ...refusals({ scope: null }),
    },
  },
  {
    ...PUBLIC,
    path: '/api/v1/openapi.json',
    operationId: 'getOpenapi',
    summary: 'This document',
    responses: {
      '200': json('OpenAPI 3.1.', Type.Object({}, { additionalProperties: true })),
      ...refusals({ scope: null }),
    },
  },
  {
    ...PUBLIC,
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Whether the process lives',
    responses: { '200': json('It does.', Health) },
  },
  {
    ...PUBLIC,
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Whether the service takes requests',
    description: 'A browser that is missing or down makes it no less ready: HTTP scrapers go on.',
    responses: {
      '200': json('It does.', Readiness),
      '503': { description: 'Not now.', content: { 'application/problem+json': Problem } },
    },
  },
  {
    ...PUBLIC,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'For callers on the same machine, or with `SLUICE_METRICS_TOKEN`.',
    responses: { '200': text('The metrics.', 'text/plain'), '404': NOT_FOUND },
  },
  {
    ...PUBLIC,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'This document for people',
    responses: { '200': text('A page.', 'text/html') },
  },
];
