import type { JobRow } from '../domain/jobs.ts';
import type { ExtractTemplates } from '../domain/template.ts';

/** Encrypts what is stored of requests: they may contain passwords and cookies. */
export interface Sealer {
  seal(text: string): Uint8Array;
  /** Rejects text that was not sealed with a known key. */
  open(bytes: Uint8Array): string;
}

/** The members of a scrape request. */
export type RequestMembers = Readonly<Record<string, unknown>>;

/** How the requests of a job are made. */
export interface JobSpec {
  /** Members of every request; those of the item go first. */
  readonly request: RequestMembers;
  /** The templates that requests name, as they were when the job was accepted. */
  readonly templates: ExtractTemplates;
  /** Id that the scrape gets; null: a new one. */
  readonly scrapeId: string | null;
}

export const sealSpec = (spec: JobSpec, sealer: Sealer): Uint8Array => sealer.seal(JSON.stringify(spec));

export const openSpec = (job: Pick<JobRow, 'spec'>, sealer: Sealer): JobSpec =>
  JSON.parse(sealer.open(job.spec)) as JobSpec;

/** The request of an item: its own members, and those of the job that it does not have. */
export function itemRequest(spec: JobSpec, url: string, own: RequestMembers | null): RequestMembers {
  return own === null ? { ...spec.request, url } : { ...spec.request, ...own };
}
