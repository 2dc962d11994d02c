import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { microToCurrency } from '../../base/numbers.ts';
import type { Principal } from '../../domain/account.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { isFailure } from '../../domain/failure.ts';
import { requestedTemplate } from '../../domain/template.ts';
import { domainRefusal } from '../../domain/url-check.ts';
import { loadTemplate } from '../../pipeline/extract-template.ts';
import { likeness, usableWays } from '../../pipeline/likeness.ts';
import type { Written } from '../../wire/answer/json-members.ts';
import {
  CompareRequest,
  ComparisonSchema,
  type ReadComparison,
  readComparison,
  tasksOfWays,
} from '../../wire/comparison.ts';
import { withPrefix } from '../../wire/jobs/item-request.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal, refuseIf } from '../core/refusal.ts';
import { cancelOf } from '../core/request-resources.ts';
import { json, problem } from '../core/responses.ts';
import { type RunWay, runWays, type Way } from '../operations/run-ways.ts';

type Comparison = Written<typeof ComparisonSchema>;

async function compare(
  deps: EndpointDeps,
  comparison: ReadComparison,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Comparison> {
  const ways = await checkedWays(deps, comparison, principal);
  const cancel = cancelOf(request, reply);
  // Between two ways too, a shutdown waits for the comparison.
  deps.inFlight.add(cancel);
  try {
    const { id: requestId, headers } = request;
    const { signal } = cancel;
    const runs = await runWays(deps, ways, { principal, requestId, headers, signal });
    if (signal.aborted) throw Refusal.of('service.unavailable', 'The comparison was stopped before its end.');
    return comparisonOf(runs, deps.prices?.currency ?? EFFORT_UNIT);
  } finally {
    deps.inFlight.delete(cancel);
  }
}

/** Parses and checks everything that is the same for all ways. @throws Refusal */
async function checkedWays(
  deps: EndpointDeps,
  comparison: ReadComparison,
  principal: Principal,
): Promise<readonly Way[]> {
  const name = requestedTemplate(comparison.request);
  const pointer = '/request/scraper_options/extract';
  const template =
    name === null ? null : await loadTemplate(deps.store.templates, principal.userId, name, pointer);
  if (template !== null && isFailure(template)) throw new Refusal([template]);
  const tasks = tasksOfWays(comparison, template);
  if ('problems' in tasks) throw new Refusal(tasks.problems);
  const [task] = tasks;
  const problems = deps.pipeline.problems(task!);
  if (problems.length > 0) throw new Refusal(problems.map((one) => withPrefix(one, '/request')));
  refuseIf(domainRefusal(principal, new URL(task!.url)));
  return comparison.ways.map((way, index) => ({ name: way.name, task: tasks[index]! }));
}

function comparisonOf(runs: readonly RunWay[], costUnit: string): Comparison {
  const usable = usableWays(runs);
  const [best] = usable;
  const likenessOf = ({ print }: RunWay) =>
    print === null || best === undefined || best.print === null
      ? null
      : Math.round(likeness(print, best.print) * 1_000) / 1_000;
  const costs = usable.flatMap(({ cost }) => cost ?? []);
  return {
    items: runs.map((run) => ({ ...run.item, likeness: likenessOf(run) })),
    best: best?.item.way ?? null,
    saved_per_1000:
      best === undefined || best.cost === null
        ? null
        : microToCurrency((Math.max(...costs) - best.cost) * 1_000),
    cost_unit: costUnit,
  };
}

const COMPARISON_EXAMPLE: Comparison = {
  items: [
    {
      way: 'http',
      outcome: 'blocked',
      scrape: {
        id: '01970000-0000-7000-8000-000000000001',
        status_code: 200,
        final_url: 'https://example.com/',
        scraper: 'http',
        proxy_type: 'datacenter',
        verdict: 'challenge',
        content_bytes: 5120,
        attempts: 1,
        warnings: [],
        explanation:
          'http with a datacenter address met a bot check (target.blocked), as the request named it. One attempt took 0.3 s and cost 0.00001 EUR.',
      },
      errors: [
        {
          code: 'target.blocked',
          message: 'The site sent a bot challenge instead of the page.',
          level: 'error',
          source: 'target',
          retryable: true,
        },
      ],
      duration_ms: 310,
      cost: 0.00001,
      likeness: 0.004,
    },
    {
      way: 'browser',
      outcome: 'ok',
      scrape: {
        id: '01970000-0000-7000-8000-000000000002',
        status_code: 200,
        final_url: 'https://example.com/',
        scraper: 'browser',
        proxy_type: 'datacenter',
        verdict: 'ok',
        content_bytes: 48_213,
        attempts: 1,
        warnings: [],
        explanation:
          'browser with a datacenter address returned the page, as the request named it. One attempt took 2.9 s and cost 0.0002 EUR.',
      },
      errors: [],
      duration_ms: 2_914,
      cost: 0.0002,
      likeness: 1,
    },
    {
      way: 'vendor:zyte',
      outcome: 'ok',
      scrape: {
        id: '01970000-0000-7000-8000-000000000003',
        status_code: 200,
        final_url: 'https://example.com/',
        scraper: 'vendor:zyte',
        proxy_type: 'datacenter',
        verdict: 'ok',
        content_bytes: 47_950,
        attempts: 1,
        warnings: [],
        explanation:
          'vendor:zyte returned the page, as the request named it. One attempt took 4.1 s and cost 0.001 EUR.',
      },
      errors: [],
      duration_ms: 4_102,
      cost: 0.001,
      likeness: 0.981,
    },
  ],
  best: 'browser',
  saved_per_1000: 0.8,
  cost_unit: 'EUR',
};

export const COMPARE = [
  endpoint({
    method: 'post',
    path: '/api/v1/compare/',
    operationId: 'compareWays',
    summary: 'Scrape a page by several methods, and compare them',
    description:
      'Runs one scrape request by several scrapers, types of proxy and vendors, and says which one to use. Each method is a scrape with a record, and counts as one; a request that must not be repeated is sent by each method. The methods run beside each other while there are permits for them, otherwise one after the other; `timeout_ms` applies to each method. The status is 200 even if methods fail: one that fails or is refused is an item with its errors.',
    access: 'scope:scrape',
    needsPermit: true,
    body: jsonBody(CompareRequest, {
      examples: {
        ways: {
          request: { url: 'https://example.com/' },
          ways: ['http', 'browser', 'vendor:zyte'],
        },
        proxies: {
          request: { url: 'https://example.com/', proxy: { country: 'DE' } },
          ways: ['http/datacenter', 'http/residential', 'auto'],
        },
      },
      read: (body, problems) => readComparison(body as Static<typeof CompareRequest>, problems),
    }),
    responses: {
      200: json('The methods, side by side.', ComparisonSchema, { example: COMPARISON_EXAMPLE }),
      403: problem('Not allowed: `auth.*`, or `policy.domain`.'),
      422: problem('There is no such template: `template.unknown`.'),
      503: problem('The service is shutting down, or cannot store records: `service.*`. See `Retry-After`.'),
    },
    handler: async ({ body, principal, request, reply }, deps) => {
      const work = compare(deps, body, principal, request, reply);
      // The permit is held until the work has settled, even if the caller disconnects.
      request.work = work;
      return await work;
    },
  }),
];
