import type { CrawlSettings } from '../domain/crawl.ts';
import type { JobRow, OnLoggedOut } from '../domain/jobs.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { ExtractTemplates } from '../domain/template.ts';

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
  /** null: the job is no crawl. */
  readonly crawl: CrawlSettings | null;
  /** Absent: `stop`. */
  readonly onLoggedOut?: OnLoggedOut;
}

/** Requests may contain passwords and cookies, so they are stored encrypted. @param userId whose job it is */
export const sealSpec = (spec: JobSpec, userId: string, sealer: Sealer): Uint8Array =>
  sealer.seal('job.spec', userId, Buffer.from(JSON.stringify(spec)));

/** @throws SealError */
export const openSpec = ({ spec, userId }: Pick<JobRow, 'spec' | 'userId'>, sealer: Sealer): JobSpec =>
  JSON.parse(sealer.open('job.spec', userId, spec).toString()) as JobSpec;

export const sealItemRequest = (members: RequestMembers, userId: string, sealer: Sealer): Uint8Array =>
  sealer.seal('job.item', userId, Buffer.from(JSON.stringify(members)));

/** @throws SealError */
export const openItemRequest = (sealed: Uint8Array, userId: string, sealer: Sealer): RequestMembers =>
  JSON.parse(sealer.open('job.item', userId, sealed).toString()) as RequestMembers;

/** The request of an item: its own members, and those of the job that it does not have. */
export function itemRequest(spec: JobSpec, url: string, own: RequestMembers | null): RequestMembers {
  return own === null ? { ...spec.request, url } : { ...spec.request, ...own };
}

/** Specs that stay open: a crawl opens its own for each page. */
const MAX_SPECS = 100;

/** Opens the specs of jobs. They do not change after the start of a job. */
export class SpecCache {
  readonly #specs = new Map<string, JobSpec>();
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** @throws SealError */
  open(job: Pick<JobRow, 'id' | 'spec' | 'userId'>): JobSpec {
    let spec = this.#specs.get(job.id);
    if (spec === undefined) {
      spec = openSpec(job, this.#sealer);
      if (this.#specs.size >= MAX_SPECS) this.#specs.delete(this.#specs.keys().next().value!);
      this.#specs.set(job.id, spec);
    }
    return spec;
  }
}
