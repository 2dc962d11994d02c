import type { CommandSpec } from '../core/command.ts';
import {
  BATCH_MEMBERS,
  CRAWL_MEMBERS,
  DETACH,
  FORMAT,
  JSON_FLAG,
  LOCAL,
  MAP_MEMBERS,
  OUTPUT,
  READ_MEMBERS,
  RESULT_FLAGS,
  SCRAPE_MEMBERS,
  WATCH_MEMBERS,
} from '../core/flags.ts';
import { DATA_COMMANDS } from './data-commands.ts';
import { JOB_COMMANDS } from './job-commands.ts';
import { PROFILE_COMMANDS } from './profile-commands.ts';

const CONNECTION =
  'With SLUICE_URL and SLUICE_KEY (an API key), or a service that "sluice login" has stored, the command uses that service. Otherwise it runs the service itself for as long as it takes, with the data folder, or with a temporary one if there is none.';

const JOB_NOTES = [
  'Pages that fail for a reason that may pass are tried again after 1, 5 and 30 minutes, unless retries is 0.',
  'On a terminal, a bar shows the progress. Ctrl+C cancels the job, and what has ended is still written; a second Ctrl+C ends the command at once.',
  CONNECTION,
];

const PATTERN_FLAGS = [
  {
    name: 'include',
    value: 'PATTERN',
    member: true,
    many: true,
    doc: "Only URLs that match, such as '/blog/**'. Can be given several times.",
  },
  {
    name: 'exclude',
    value: 'PATTERN',
    member: true,
    many: true,
    doc: 'No URLs that match. Can be given several times.',
  },
] as const;

const SCRAPE: CommandSpec = {
  name: 'scrape',
  summary: 'scrapes a page',
  words: ['URL'],
  flags: [
    FORMAT,
    {
      name: 'screenshot',
      value: 'FILE',
      doc: 'Takes a screenshot and writes it to a file. With true or false: the member screenshot of the request.',
    },
    {
      ...OUTPUT,
      doc: 'Writes to a file, which is overwritten, or into a folder, under the name of the page.',
    },
    JSON_FLAG,
    LOCAL,
  ],
  members: SCRAPE_MEMBERS,
  notes: [
    'URL may also be @FILE or - (standard input): a scrape request as JSON, as sluice import prints it. Options complete it.',
    'Prints the answer of the API as JSON, on a terminal a summary. Exit code 0 if the outcome is ok.',
    'Without SLUICE_URL the command scrapes by itself, also while a service uses the data folder. The record is stored in the data folder, if there is one, and belongs to the administrator.',
  ],
  examples: [
    'sluice scrape https://example.com --format markdown',
    'sluice scrape https://example.com --scraper browser --screenshot page.png',
    "sluice import curl https://example.com -H 'Accept: text/html' | sluice scrape -",
  ],
  load: async () => (await import('./scrape.ts')).scrape,
};

const EXPLAIN: CommandSpec = {
  name: 'explain',
  summary: 'shows how a page would be scraped, without fetching it',
  words: ['URL'],
  flags: [JSON_FLAG, LOCAL],
  members: SCRAPE_MEMBERS,
  notes: [
    'URL and options are those of sluice scrape. Shows which methods there are, what each is expected to cost, how likely it works, and why others are excluded. Exit code 1 if there is none. In a pipe the answer of the API, a scrape with router.dry_run.',
  ],
  examples: ['sluice explain https://example.com --router.max_cost 5'],
  load: async () => (await import('./explain.ts')).explain,
};

const COMPARE: CommandSpec = {
  name: 'compare',
  summary: 'scrapes a page by several methods, and shows which one to use',
  words: ['URL'],
  flags: [
    {
      name: 'ways',
      value: 'WAYS',
      doc: 'Two to eight methods with commas: scrapers, or scraper/proxy_type, such as http,auto,browser/residential,vendor:NAME.',
    },
    JSON_FLAG,
    LOCAL,
  ],
  members: SCRAPE_MEMBERS,
  notes: [
    'URL and options are those of sluice scrape, but for --scraper. Each method is a scrape with a record: sluice read SCRAPE shows its page.',
    'LIKENESS is how much of the main content a method has in common with the best one, which is marked. The best method is the cheapest that got the whole page, then the fastest. Exit code 1 if there is none.',
    CONNECTION,
  ],
  examples: ['sluice compare https://example.com --ways http,browser,vendor:zyte'],
  load: async () => (await import('./compare.ts')).compare,
};

const READ: CommandSpec = {
  name: 'read',
  summary: 'prints the content of a page or of a stored scrape, as Markdown',
  words: ['ID|URL'],
  flags: [
    {
      ...FORMAT,
      doc: 'Instead of markdown, such as text, links or structured: text as it is, data as JSON.',
    },
    OUTPUT,
    JSON_FLAG,
    LOCAL,
  ],
  members: READ_MEMBERS,
  notes: [
    'Of a stored scrape nothing is fetched. If members ask for something else than a format, the answer of the API is printed, as with --json.',
    CONNECTION,
  ],
  examples: [
    'sluice read https://example.com/article | less',
    'sluice read 0197d0a1-7b3c-7000-8000-000000000000 --extract.title h1',
  ],
  load: async () => (await import('./read.ts')).read,
};

const BATCH: CommandSpec = {
  name: 'batch',
  summary: 'scrapes the URLs in a file',
  words: ['FILE'],
  flags: [...RESULT_FLAGS, DETACH, LOCAL],
  members: BATCH_MEMBERS,
  notes: [
    'FILE has a URL a line, or a scrape request a line (JSON), or is CSV with a column url (and ref, which the results repeat); - is standard input. Lines that begin with # do not count.',
    ...JOB_NOTES,
  ],
  examples: ['sluice batch urls.txt -o pages --scraper http'],
  load: async () => (await import('./batch.ts')).batch,
};

const CRAWL: CommandSpec = {
  name: 'crawl',
  summary: 'scrapes a site',
  words: ['URL'],
  flags: [
    { name: 'limit', value: 'N', member: true, doc: 'Pages at most (default: 1000).' },
    {
      name: 'max_depth',
      value: 'N',
      member: true,
      doc: 'Links between URL and a page, at most (default: 10).',
    },
    ...PATTERN_FLAGS,
    {
      name: 'ignore_query',
      value: 'NAME',
      member: true,
      many: true,
      doc: 'URLs that differ only in this parameter are the same. Can be given several times.',
    },
    ...RESULT_FLAGS,
    DETACH,
    LOCAL,
  ],
  members: CRAWL_MEMBERS,
  notes: ['URLs that a crawl skips are no failures.', ...JOB_NOTES],
  examples: ['sluice crawl https://example.com/docs/ -o docs --scope path --limit 500'],
  load: async () => (await import('./crawl.ts')).crawl,
};

const MAP: CommandSpec = {
  name: 'map',
  summary: 'prints the URLs of a site, one a line',
  words: ['URL'],
  flags: [
    {
      name: 'search',
      value: 'WORDS',
      member: true,
      doc: 'Only URLs that contain all of these words, in the URL or the title.',
    },
    { name: 'limit', value: 'N', member: true, doc: 'URLs at most (default: 5000).' },
    ...PATTERN_FLAGS,
    { ...JSON_FLAG, doc: 'Prints the answer of the API.' },
    OUTPUT,
    LOCAL,
  ],
  members: MAP_MEMBERS,
  notes: [
    'On a terminal, the sitemaps that were read and the number of URLs that were left out are printed, too. Exit code 1 also means that nothing was found, or that the page could not be read.',
    CONNECTION,
  ],
  examples: ['sluice map https://example.com --search blog | sluice batch - -o blog'],
  load: async () => (await import('./map.ts')).map,
};

const WATCH: CommandSpec = {
  name: 'watch',
  summary: 'prints the changes of a page as they happen, or follows a job',
  words: ['URL|JOB_ID'],
  flags: [
    {
      name: 'every',
      value: 'TIME',
      doc: 'Of a page: time between two looks, from 60s, such as 5m, 2h or 1d (default: 5m).',
    },
    {
      name: 'cron',
      value: 'EXPRESSION',
      doc: "Of a page, instead of --every: five fields, such as '0 8 * * 1-5'.",
    },
    { name: 'timezone', value: 'ZONE', doc: 'Of --cron, such as Europe/Berlin (default: UTC).' },
    {
      name: 'format',
      value: 'FORMAT',
      doc: 'What is compared: markdown (default), text, main_html, extract, json, structured, screenshot, bytes. Of a job: as for sluice batch.',
    },
    {
      name: 'ignore',
      value: 'WHAT',
      member: true,
      many: true,
      doc: 'What does not count, such as dates, counters, a CSS selector or a /regular expression/. Can be given several times.',
    },
    { name: 'output', short: 'o', value: 'FILE|FOLDER', doc: 'Of a job: as for sluice batch.' },
    {
      name: 'json',
      doc: 'Prints each run with a change as a line of JSON instead of a unified diff. Of a job: as for sluice batch.',
    },
    LOCAL,
  ],
  members: { ...WATCH_MEMBERS },
  notes: [
    'Of a page: the command makes a monitor, which looks at once and then by its schedule, and deletes it at the end. Exit code 0 also when Ctrl+C ends it.',
    'Of a job: follows it to its end, with its results. Ctrl+C leaves the job as it is.',
    CONNECTION,
  ],
  load: async () => (await import('./watch.ts')).watch,
};

const IMPORT: CommandSpec = {
  name: 'import',
  summary: 'prints the scrape request that does the same as a curl command',
  words: ['FILE|URL'],
  verbatim: 'curl',
  flags: [
    {
      name: 'entry',
      value: 'N',
      doc: 'Which entry of the archive, counted from 0 (default: the first document).',
    },
  ],
  notes: [
    'sluice import curl URL … takes the curl command as it is. FILE has a curl command, or is an HTTP archive (HAR) as browsers save it; - is standard input. URL is a call of ScrapingBee, ScraperAPI, ScrapingAnt or Scrape.do, in quotes.',
    'Files that the command reads (-d @file) are read. Nothing is fetched. What has no effect is printed to the error output.',
  ],
  examples: ["sluice import curl 'https://example.com/search' -d q=shoes | sluice scrape -"],
  load: async () => (await import('./import.ts')).importRequest,
};

const MCP: CommandSpec = {
  name: 'mcp',
  summary: 'serves the Model Context Protocol over standard input and output',
  flags: [LOCAL],
  notes: [
    'For programs with language models, such as Claude Code, Cursor and VS Code: they start this command. The tools are scrape, act, read, screenshot, explain, map, crawl and job. Ends when its input ends. No other process may use the data folder meanwhile: beside a running service, set SLUICE_URL and SLUICE_KEY.',
    CONNECTION,
  ],
  load: async () => (await import('./mcp.ts')).mcp,
};

const SERVE: CommandSpec = {
  name: 'serve',
  summary: 'runs the service',
  notes: ['Configured by SLUICE_* variables; see docs/configuration.md.'],
  load: async () => (await import('./serve.ts')).serve,
};

const COMPLETION: CommandSpec = {
  name: 'completion',
  summary: 'prints a script that completes commands and options',
  words: ['bash|zsh|fish'],
  examples: [
    'source <(sluice completion bash)                                     # in ~/.bashrc',
    'source <(sluice completion zsh)                                      # in ~/.zshrc',
    'sluice completion fish > ~/.config/fish/completions/sluice.fish',
  ],
  load: async () => (await import('./completion.ts')).completion,
};

const HELP: CommandSpec = {
  name: 'help',
  summary: 'explains a command',
  words: ['[COMMAND…]'],
  load: async () => (await import('../core/help.ts')).help,
};

const VERSION_COMMAND: CommandSpec = {
  name: 'version',
  summary: 'prints the version',
  load: async () => (await import('../core/help.ts')).version,
};

/** All commands, in the order of the help. Reading, help, completion and suggestions come from this table. */
export const COMMANDS: readonly CommandSpec[] = [
  SERVE,
  SCRAPE,
  READ,
  EXPLAIN,
  COMPARE,
  BATCH,
  CRAWL,
  MAP,
  WATCH,
  JOB_COMMANDS,
  PROFILE_COMMANDS,
  IMPORT,
  MCP,
  ...DATA_COMMANDS,
  COMPLETION,
  HELP,
  VERSION_COMMAND,
];
