import { Type } from 'typebox';
import { closed, orNull, textOrNull } from '../../domain/json-schema.ts';
import { COMPARED_FORMATS } from '../../domain/monitors.ts';
import { SCREENSHOT_NUMBER } from '../../domain/record.ts';
import { readCompare } from '../../wire/compare-options.ts';
import { MonitorPreviewRequest } from '../../wire/monitors.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { cancelOf, memoryOf } from '../core/request-resources.ts';
import { json, problem } from '../core/responses.ts';
import { checkCompared, checkRequests, ONE_TARGET, readTarget } from '../operations/monitor-target.ts';
import { reserveBudgetAndPlan, runPlanned } from '../operations/run-planned.ts';
import { refuse } from '../operations/run-requests.ts';

/** More of a text is cut. */
const MAX_PREVIEW_CHARS = 100_000;

const MonitorPreview = closed(
  {
    scrape_id: Type.String({ format: 'uuid', description: 'The record of the page.' }),
    url: Type.String({
      description: 'The page: of a crawl the first start URL, of a batch the first request.',
    }),
    format: Type.Enum([...COMPARED_FORMATS]),
    text: textOrNull('The lines that are compared, or data as JSON. null: a picture, bytes, or nothing.'),
    truncated: Type.Boolean({ description: 'The text is cut after 100,000 characters.' }),
    bytes: orNull(Type.Integer(), { description: 'Size of what is compared.' }),
    screenshot_url: textOrNull('Of `screenshot`: the picture.'),
    ignored: Type.Array(
      closed({
        rules: Type.Array(Type.String(), { description: 'All selectors together; others one by one.' }),
        lines: Type.Integer({ description: 'Lines that are left out, or of which a part is.' }),
        examples: Type.Array(Type.String()),
      }),
      { description: 'What `ignore` leaves out.' },
    ),
    reason: textOrNull('Why the page cannot be compared, as in runs; null: it can.'),
  },
  { title: 'MonitorPreview' },
);

export const MONITOR_PREVIEW = [
  endpoint({
    method: 'post',
    path: '/api/v1/monitors/preview/',
    operationId: 'previewMonitor',
    summary: 'Show what a monitor would compare',
    description:
      'Scrapes a page once, as any scrape with a record of its own, and shows what a run would compare of it: the page of `request`, the first start URL of `crawl`, or the first request of `batch`.',
    access: 'scope:scrape',
    body: jsonBody(MonitorPreviewRequest, {
      examples: {
        page: {
          request: { url: 'https://example.com/prices' },
          compare: { ignore: ['dates', '.banner'] },
        },
        site: { crawl: { url: 'https://example.com/blog/', scope: 'path' } },
      },
    }),
    responses: {
      200: json('What is compared.', MonitorPreview),
      402: problem('The daily budget of the key is used up: `budget.exhausted`.'),
      422: problem('No scraper and proxy can do the request; or there is no such template.'),
      503: problem('The record cannot be stored: `service.storage`.'),
    },
    handler: async ({ body, principal, request, reply }, deps) => {
      const startedAt = deps.clock.monotonic();
      const problems: Problems = [];
      const compare = readCompare(body.compare ?? {}, '/compare', problems);
      problems.push(...deps.pipeline.compareProblems(compare, '/compare'));
      if (problems.length > 0) throw new Refusal(problems);
      const target = await readTarget(body, principal.userId, deps);
      if (target === null) refuse('', ONE_TARGET);
      checkCompared(target, compare);
      await checkRequests(target, principal, deps);
      const { task } = target.requests[0]!;
      const plan = await reserveBudgetAndPlan(deps, principal, task);
      const { scrape, storing } = await runPlanned(deps, {
        task,
        plan,
        principal,
        requestId: request.id,
        cancel: cancelOf(request, reply),
        startedAt,
        reservation: memoryOf(request, deps.memory),
      });
      deps.events.scrapeEnded(scrape, principal, { storing, headers: request.headers });
      const record = scrape.id === null ? null : await deps.store.records.get(scrape.id, principal.userId);
      if (record === null)
        throw Refusal.of('service.storage', 'The page was scraped, but its record could not be stored.');
      const { previewPage } = await import('../../monitors/preview-page.ts');
      const { text, bytes, ignored, reason } = await previewPage(record, compare, deps);
      const isPicture = compare.format === 'screenshot' && reason === null;
      return {
        scrape_id: record.id,
        url: task.url,
        format: compare.format,
        text: text?.slice(0, MAX_PREVIEW_CHARS) ?? null,
        truncated: (text?.length ?? 0) > MAX_PREVIEW_CHARS,
        bytes,
        screenshot_url: isPicture ? deps.linkUrl('picture', record.id, SCREENSHOT_NUMBER) : null,
        ignored: ignored.map(({ rules, lines, examples }) => ({
          rules: [...rules],
          lines,
          examples: [...examples],
        })),
        reason,
      };
    },
  }),
];
