/** What both databases hold to when they change jobs. */
import type { StoredError, UrlForm } from '../../../../domain/jobs.ts';

export const LIMIT_REACHED: StoredError = {
  code: 'skip.limit',
  message: 'The job has reached its limit of pages. Further URLs are not listed; `unlisted` counts them.',
};
/** The counter of items that say so: the first one does. No form of URLs has this name. */
export const LIMIT_COUNTER = '\0limit';

/** Skipped items of a job that are stored. A page with a million links must not fill the disk. */
export const MAX_SKIPPED_ITEMS = 100_000;

export const tooMany = ({ text, limit }: UrlForm): StoredError => ({
  code: 'skip.trap',
  message: `The crawl visits at most ${limit} URLs of the form ${text}`,
});

/** Pages of a host with the same content that count as results. More are one page for all URLs. */
export const MAX_SAME_PAGES = 5;

export const SAME_PAGE = {
  code: 'skip.trap',
  message: `The host answers ${MAX_SAME_PAGES} other URLs with the same page: for missing pages, or whatever the parameters are.`,
};

/** Blocks of a host that are remembered: those on the most pages. */
export const MAX_BLOCKS = 2_000;
/** The others are forgotten after so many pages. A block that is on more than half of the pages is seen again before. */
export const FORGET_EVERY = 10;

/** A job that has not been started after so long is deleted. */
export const UNSTARTED_MS = 3_600_000;

/** Tables with rows of a job: the table, the column of the job, and the columns that tell its rows apart. */
export const DELETED_TABLES = [
  ['job_items', 'job_id', 'item'],
  ['job_hosts', 'job_id', 'host'],
  ['job_folders', 'job_id', 'parent, name'],
  ['job_events', 'job_id', 'sequence'],
  ['job_counters', 'job_id', 'counter'],
  ['job_blocks', 'job_id', 'host, block'],
  ['webhook_deliveries', 'source_id', 'sequence'],
  ['notification_channels', 'source_id', 'channel_id'],
  ['notification_sources', 'source_id', 'source_id'],
] as const;

/** Levels and characters of a folder. What is deeper or longer counts in the last folder above, so that no URL makes many rows. */
export const MAX_FOLDER_LEVELS = 10;
export const MAX_FOLDER_CHARS = 500;
