import type { ItemRow } from '../domain/jobs.ts';
import type { ChangedPage, PageState, RunResult } from '../domain/monitors.ts';
import type { StoredRecord } from '../domain/record.ts';
import { fingerprintOf } from '../jobs/crawl/canonical-url.ts';
import { Frontier } from '../jobs/crawl/frontier.ts';
import { openSpec } from '../jobs/job-spec.ts';
import { contentFacts } from '../wire/record/record-json.ts';
import { comparePages } from './compare-pages.ts';
import { type EndedRun, type FinishDeps, NO_CHANGE, troubleOf } from './ended-run.ts';
import { readVersion } from './read-snapshot.ts';

/** Reasons of pages that were got, with all that they lead to, but cannot be compared. */
const GOT = ['no_content', 'unreadable', 'no_screenshot', 'no_data'];
const ITEMS_PER_CALL = 100;
/** Pages that a run lists. All are counted. */
const MAX_PAGES = 1_000;
/** Of the differences that a run lists. */
const MAX_CHARS = 1_000_000;

/** A page of a run; `same` is not listed. */
type ComparedPage = Omit<ChangedPage, 'state'> & { readonly state: PageState | 'same' };

/**
 * Compares the pages of a batch or a crawl by their URLs. One page at a time is in memory, with the fingerprints of all URLs and
 * what the result lists.
 * @returns null: `signal` ended it
 */
export async function compareAll(
  deps: FinishDeps,
  ended: EndedRun,
  signal: AbortSignal,
): Promise<RunResult | null> {
  const { monitor, run, job } = ended;
  const isFirst = (await deps.monitors.pageUrls(monitor.id, run.n, '', 1)).length === 0;
  const urlOf = urlsOf(deps, ended);
  const found = new FoundPages(isFirst);
  let after = 0;
  for (;;) {
    const items = await deps.jobs.results(job.id, after, ITEMS_PER_CALL);
    const gone: string[] = [];
    for (const item of items) {
      if (signal.aborted) return null;
      if (item.state === 'skipped') {
        found.skip(item);
        continue;
      }
      const page = await comparePage(deps, ended, item, urlOf);
      if (page.state === 'gone') gone.push(page.url);
      found.add(page);
    }
    await deps.monitors.putGone(monitor.id, run.n, gone);
    if (items.length < ITEMS_PER_CALL) break;
    after = items.at(-1)!.n!;
  }
  const incomplete = found.incomplete(job);
  if (incomplete === null) await addMissing(deps, ended, found);
  return found.result(job, incomplete);
}

/** The pages of a run, as they are found. */
class FoundPages {
  readonly #isFirst: boolean;
  readonly #pages: ChangedPage[] = [];
  readonly #counts = { new: 0, changed: 0, gone: 0, same: 0, error: 0 };
  /** Fingerprints of URLs that were visited, or found and not visited. */
  readonly #known = new Set<string>();
  #added = 0;
  #removed = 0;
  #chars = 0;
  #trouble: string | null = null;
  #limit: string | null = null;
  #isCutShort = false;

  constructor(isFirst: boolean) {
    this.#isFirst = isFirst;
  }

  /** A URL that was found and not visited. One that leads to another page has no page of its own. */
  skip({ url, error }: ItemRow): void {
    if (error?.code === 'skip.duplicate') return;
    this.#known.add(keyOf(url));
    if (error?.code === 'skip.limit' || error?.code === 'job.cost_cap') this.#limit = error.code;
  }

  add(page: ComparedPage): void {
    const { state } = page;
    this.#known.add(keyOf(page.url));
    this.#counts[state]++;
    this.#added += page.added;
    this.#removed += page.removed;
    if (state === 'error') this.#addTrouble(page.reason!);
    if (state === 'same' || (state === 'new' && this.#isFirst)) return;
    if (this.#pages.length >= MAX_PAGES) return;
    this.#chars += (page.diff?.length ?? 0) + JSON.stringify(page.fields).length;
    const listed = this.#chars > MAX_CHARS ? { ...page, diff: null, fields: [] } : page;
    this.#pages.push({ ...listed, state });
  }

  #addTrouble(reason: string): void {
    if (this.#trouble !== 'signed_out') this.#trouble = reason;
    if (!GOT.includes(reason)) this.#isCutShort = true;
  }

  has(url: string): boolean {
    return this.#known.has(keyOf(url));
  }

  /** Why there may be pages that the run did not find; null: there are none. */
  incomplete({ state, error, unlisted }: EndedRun['job']): string | null {
    if (state !== 'done') return error?.code ?? `job_${state}`;
    if (this.#limit !== null) return this.#limit;
    // What failed pages lead to is not known.
    if (this.#isCutShort) return 'failed_pages';
    return unlisted > 0 ? 'unlisted_urls' : null;
  }

  result({ error }: EndedRun['job'], incomplete: string | null): RunResult {
    const counts = this.#counts;
    const got = counts.new + counts.changed + counts.same;
    const differ = (this.#isFirst ? 0 : counts.new) + counts.changed + counts.gone;
    const isError = got + counts.gone === 0;
    return {
      ...NO_CHANGE,
      state: isError ? 'error' : this.#isFirst ? 'first' : differ > 0 ? 'changed' : 'same',
      reason: isError ? (this.#trouble ?? error?.code ?? 'no_pages') : null,
      added: this.#added,
      removed: this.#removed,
      similarity: got + counts.gone === 0 ? 1 : 1 - differ / (got + counts.gone),
      pages: this.#pages,
      counts,
      incomplete,
    };
  }
}

/** A key for a URL, shorter than most URLs: all those of a run are in memory. */
const keyOf = (url: string): string => Buffer.from(fingerprintOf(url)).toString('latin1');

/** The URL by which a page is found again: of a crawl that of the page itself, whichever URL led to it. */
function urlsOf({ sealer }: FinishDeps, { job }: EndedRun): (item: ItemRow, record: StoredRecord) => string {
  const { crawl } = openSpec(job, sealer);
  if (crawl === null) return ({ url }) => url;
  const frontier = new Frontier(crawl, 'GET');
  return ({ url }, record) => {
    const { finalUrl } = contentFacts(record);
    return finalUrl === null ? url : frontier.canonical(finalUrl);
  };
}

async function comparePage(
  deps: FinishDeps,
  { monitor, run }: EndedRun,
  item: ItemRow,
  urlOf: (item: ItemRow, record: StoredRecord) => string,
): Promise<ComparedPage> {
  const { scrapeId } = item;
  const record = scrapeId === null ? null : await deps.records.get(scrapeId, null);
  const previousOf = (url: string) => deps.monitors.page(monitor.id, url, run.n);
  const asked = await previousOf(item.url);
  const none = { ...NO_CHANGE, url: item.url, scrapeId };
  const trouble = troubleOf(item, record, monitor.compare.format, asked !== null);
  if (trouble === 'gone')
    return asked === null
      ? { ...none, state: 'same' }
      : { ...none, state: 'gone', previousId: asked.scrapeId, similarity: 0 };
  if (trouble !== null) return { ...none, state: 'error', reason: trouble, similarity: 0 };
  const url = urlOf(item, record!);
  const previous = url === item.url ? asked : await previousOf(url);
  const page = { ...none, url };
  const snapshot = await readVersion(record!, monitor.compare, deps, previous !== null);
  if (typeof snapshot === 'string') return { ...page, state: 'error', reason: snapshot, similarity: 0 };
  await deps.monitors.putPage(monitor.id, run.n, { url, scrapeId: scrapeId!, bytes: snapshot });
  if (previous === null) return { ...page, state: 'new', similarity: 0 };
  const { state, ...comparison } = await comparePages(previous.bytes, snapshot, monitor.compare);
  if (state !== 'changed') return { ...page, state: 'same', previousId: previous.scrapeId };
  return { ...page, ...comparison, state, previousId: previous.scrapeId };
}

/** Adds the pages of earlier runs that this run did not find. */
async function addMissing(
  { monitors }: FinishDeps,
  { monitor, run }: EndedRun,
  found: FoundPages,
): Promise<void> {
  for (let after = ''; ; ) {
    const pages = await monitors.pageUrls(monitor.id, run.n, after, ITEMS_PER_CALL);
    const missing = pages.filter(({ url }) => !found.has(url));
    await monitors.putGone(
      monitor.id,
      run.n,
      missing.map(({ url }) => url),
    );
    for (const { url, scrapeId } of missing)
      found.add({ ...NO_CHANGE, url, scrapeId: null, state: 'gone', previousId: scrapeId, similarity: 0 });
    if (pages.length < ITEMS_PER_CALL) return;
    after = pages.at(-1)!.url;
  }
}
