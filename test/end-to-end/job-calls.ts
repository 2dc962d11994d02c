import assert from 'node:assert/strict';
import { eventually, type ServiceApi } from '../helpers/service.ts';

/** A job, as far as tests look at it. */
export interface JobBody {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly pause: { readonly reason: string; readonly resumes_at: string | null } | null;
}

/** An item of the results, as far as tests look at it. */
export interface ItemBody {
  readonly n: number;
  readonly ref: string | null;
  readonly url: string;
  readonly state: string;
  readonly scrape: string | Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string } | null;
  readonly scraper_data: Readonly<Record<string, unknown>> | null;
}

/** Starts a batch. @returns its id */
export async function startBatch(service: ServiceApi, body: unknown, key?: string): Promise<string> {
  const accepted = await service.api(
    'POST',
    '/api/v1/batches/',
    key === undefined ? { body } : { body, key },
  );
  assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
  return (accepted.body as { id: string }).id;
}

export const jobOf = async (service: ServiceApi, id: string): Promise<JobBody> =>
  (await service.api('GET', `/api/v1/jobs/${id}/`)).body as JobBody;

/** Waits until the job is neither queued nor running. */
export async function endOf(service: ServiceApi, id: string): Promise<JobBody> {
  await eventually(async () => !['queued', 'running'].includes((await jobOf(service, id)).state));
  return await jobOf(service, id);
}

export const resultsOf = async (service: Pick<ServiceApi, 'api'>, id: string, query = '') =>
  (await service.api('GET', `/api/v1/jobs/${id}/results/${query}`)).body as {
    readonly items: readonly ItemBody[];
    readonly next_cursor: string | null;
  };
