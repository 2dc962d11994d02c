import { Type } from 'typebox';
import { Problem } from '../answer/answer-schema.ts';
import { ProxiesSchema, ProxyChoices } from '../proxies.ts';
import type { Operation, ResponseObject } from './operation.ts';
import { json, refusals } from './responses.ts';
import { ErrorsTable, Health, Readiness, ScraperList } from './service-schema.ts';

const text = (description: string, type: string): ResponseObject => ({
  description,
  content: { [type]: Type.String() },
});
const PUBLIC = { scope: null, tag: 'Service', method: 'get' } as const;
const NOT_FOUND: ResponseObject = {
  description: 'Not available to remote callers: `request.not_found`.',
  content: { 'application/problem+json': Problem },
};

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/scrapers/',
    operationId: 'listScrapers',
    tag: 'Service',
    summary: 'List scrapers and browsers, and why some are unavailable',
    scope: 'read',
    responses: { '200': json('The scrapers.', ScraperList), ...refusals({ scope: 'read' }) },
  },
  {
    method: 'get',
    path: '/api/v1/proxies/',
    operationId: 'listProxies',
    tag: 'Service',
    summary: 'List proxy pools',
    description: 'Health, traffic and cost of each proxy, without credentials. For administrators.',
    scope: 'admin',
    responses: { '200': json('The pools.', ProxiesSchema), ...refusals({ scope: 'admin' }) },
  },
  {
    method: 'get',
    path: '/api/v1/proxies/choices/',
    operationId: 'listProxyChoices',
    tag: 'Service',
    summary: 'List the proxy pools and countries that requests can use',
    scope: 'read',
    responses: { '200': json('The choices.', ProxyChoices), ...refusals({ scope: 'read' }) },
  },
  {
    ...PUBLIC,
    path: '/api/v1/errors/',
    operationId: 'listErrors',
    summary: 'List all error codes',
    description: 'HTML if the caller prefers it.',
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
    summary: 'Get the OpenAPI document',
    responses: {
      '200': json('The OpenAPI 3.1 document.', Type.Object({}, { additionalProperties: true })),
      ...refusals({ scope: null }),
    },
  },
  {
    ...PUBLIC,
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Check that the process is running',
    responses: { '200': json('The process is running.', Health) },
  },
  {
    ...PUBLIC,
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check that the service accepts requests',
    description: 'The service is ready without a browser too: HTTP scrapers keep working.',
    responses: {
      '200': json('The service accepts requests.', Readiness),
      '503': {
        description: 'The service does not accept requests now.',
        content: { 'application/problem+json': Problem },
      },
    },
  },
  {
    ...PUBLIC,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Without `SLUICE_METRICS_TOKEN`, only for callers on the same machine.',
    responses: { '200': text('The metrics.', 'text/plain'), '404': NOT_FOUND },
  },
  {
    ...PUBLIC,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'API reference as a web page',
    responses: { '200': text('The page.', 'text/html') },
  },
];
