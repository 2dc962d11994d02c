import { isRepeatable, type Task } from '../domain/task.ts';
import type { ExtractTemplate } from '../domain/template.ts';
import type { JobToStart } from './job-service.ts';

export interface ScrapeOfJob {
  readonly task: Task;
  /** The scrape request. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The template that it names, as it is now; null: none. */
  readonly template: ExtractTemplate | null;
}

/** The job of one scrape, which has the id of its job. */
export const scrapeJob = (
  { task, members, template }: ScrapeOfJob,
  { retries, keptMs }: Pick<JobToStart, 'retries' | 'keptMs'>,
): JobToStart => ({
  kind: 'scrape',
  name: null,
  tags: {},
  metadata: null,
  priority: 0,
  concurrency: null,
  perHost: 1,
  delayMs: 0,
  maxCost: null,
  retries,
  maxVisits: null,
  keptMs,
  webhook: task.router.webhook,
  request: task.requestJson(),
  members,
  templates: template === null ? {} : { [template.name]: template },
  items: [
    {
      ref: null,
      url: task.url,
      host: task.host,
      fingerprint: null,
      depth: 0,
      parent: null,
      request: null,
      repeatable: isRepeatable(task.method),
      skipped: null,
      form: null,
    },
  ],
});
