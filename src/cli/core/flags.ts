import type { Flag, OpenMembers } from './command.ts';
import { namesOf } from './member-names.ts';

/** Formats of `scraper_options.formats` that people ask for most; the service knows more. */
export const FORMAT: Flag = {
  name: 'format',
  value: 'FORMAT',
  doc: 'Only this format, such as markdown, text, links or main_html: text as it is, data as JSON.',
};

export const JSON_FLAG: Flag = {
  name: 'json',
  doc: 'JSON also on a terminal, which otherwise gets text for people.',
};

export const OUTPUT: Flag = {
  name: 'output',
  short: 'o',
  value: 'FILE',
  doc: 'Writes to a file, which is overwritten, instead of standard output.',
};

/** Of commands that use a service. */
export const LOCAL: Flag = {
  name: 'local',
  doc: 'Runs the service in this process, even if SLUICE_URL is set or "sluice login" has stored a service.',
};

/** Of commands that write the results of a job. */
export const RESULT_FLAGS: readonly Flag[] = [
  {
    name: 'output',
    short: 'o',
    value: 'FILE|FOLDER',
    doc: 'A file (.jsonl, .ndjson or .json): a line of JSON for each result; for spreadsheets (.csv or .xlsx): a line for each page, with a column for each field of extract and json. Any other name is a folder: a file for each page in folders that follow the URL, and index.jsonl with all results. Existing files are overwritten.',
  },
  {
    name: 'format',
    value: 'FORMAT',
    doc: 'Only this format, such as markdown (default in a folder), text or main_html. Without it, lines have the whole scrape.',
  },
  {
    name: 'json',
    doc: 'Lines of JSON also on a terminal, which otherwise shows states and URLs.',
  },
];

export const DETACH: Flag = {
  name: 'detach',
  doc: 'Starts the job, prints its id, and does not wait for it; see sluice watch and sluice jobs.',
};

const FILE_VALUES = [
  '--NAME @FILE',
  'The value is read from a file; @- is standard input. A text that begins with @ is given in quotes: \'"@text"\'.',
] as const;

/** Options that are members of a scrape request. */
export const SCRAPE_MEMBERS: OpenMembers = {
  docs: [
    [
      '--NAME VALUE',
      'A member of the scrape request, such as --scraper http or --timeout_ms 5000. Members of members have a dot: --headers.Accept text/html --router.max_attempts 2. Values are JSON if possible, otherwise text.',
    ],
    ['--data @FILE', 'The body, exactly as it is in the file; @- or - is standard input.'],
    FILE_VALUES,
  ],
  names: async () => namesOf(await scrapeRequest()),
};

export const BATCH_MEMBERS: OpenMembers = {
  docs: [
    ['--NAME VALUE', 'A member of the scrape request for all URLs, as for sluice scrape: --scraper http'],
    [
      '--job.NAME VALUE',
      'A member of POST /api/v1/batches/: --job.concurrency 5, --job.retries 0, --job.invalid skip',
    ],
    FILE_VALUES,
  ],
  async names() {
    const { BatchSettings } = await import('../../wire/jobs/batch-request.ts');
    return [
      ...namesOf(await scrapeRequest()),
      { name: 'job', choices: [] },
      ...namesOf(BatchSettings, 'job.', 2),
    ];
  },
};

export const CRAWL_MEMBERS: OpenMembers = {
  docs: [
    ['--NAME VALUE', 'Another member of POST /api/v1/crawls/: --scope domain, --delay_ms 500, --retries 0'],
    ['--request.NAME VALUE', 'A member of the scrape request for every page: --request.scraper http'],
    FILE_VALUES,
  ],
  async names() {
    const { CrawlRequest } = await import('../../wire/jobs/crawl-request.ts');
    return [...namesOf(CrawlRequest), ...namesOf(await scrapeRequest(), 'request.', 2)];
  },
};

export const MAP_MEMBERS: OpenMembers = {
  docs: [
    ['--NAME VALUE', 'Another member of POST /api/v1/maps/: scope, sitemap, robots, timeout_ms'],
    ['--request.NAME VALUE', 'A member of the scrape request for the page, such as --request.scraper http'],
  ],
  async names() {
    const { MapRequestBody } = await import('../../wire/jobs/map-request.ts');
    return [...namesOf(MapRequestBody), ...namesOf(await scrapeRequest(), 'request.', 2)];
  },
};

export const WATCH_MEMBERS: OpenMembers = {
  docs: [
    [
      '--compare.NAME VALUE',
      'Another member of compare of POST /api/v1/monitors/, such as --compare.selector main',
    ],
    ['--NAME VALUE', 'A member of the scrape request, as for sluice scrape: --scraper http'],
  ],
  async names() {
    const { MonitorRequest } = await import('../../wire/monitors.ts');
    const compare = MonitorRequest.properties.compare as object;
    return [
      ...namesOf(await scrapeRequest()),
      { name: 'compare', choices: [] },
      ...namesOf(compare, 'compare.', 2),
    ];
  },
};

export const READ_MEMBERS: OpenMembers = {
  docs: [
    [
      '--NAME VALUE',
      'Of an ID: a member of POST /api/v1/scrape/{id}/read/, such as --only_main_content true, --extract.title h1 or --markdown.max_chars 5000. Of a URL: a member of the scrape request.',
    ],
    FILE_VALUES,
  ],
  async names() {
    const { ReadingRequestBody } = await import('../../wire/request/reading-options.ts');
    return [...namesOf(ReadingRequestBody), ...namesOf(await scrapeRequest())];
  },
};

const scrapeRequest = async () => (await import('../../wire/request/scrape-request-schema.ts')).ScrapeRequest;
