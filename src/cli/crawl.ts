import { isObject } from '../domain/json-schema.ts';
import { type Command, CommandError, requireArgument, WRONG_USAGE } from './command.ts';
import { CONNECTION_USAGE, EXIT_CODE_USAGE, withApi } from './connect.ts';
import { readOptions } from './members.ts';
import { RESULT_OPTIONS, RESULT_USAGE, readResultOptions, withWantedFormat } from './results.ts';
import { JOB_USAGE, runJob } from './run-job.ts';

const LISTS = ['include', 'exclude', 'ignore_query'];

export const crawl: Command = {
  usage: `sluice crawl URL [-o FILE|FOLDER] [--option value …]   scrapes a site

  --limit N           pages at most (default: 1000)
  --max_depth N       links between URL and a page, at most (default: 10)
  --include PATTERN   only URLs that match, such as '/blog/**'; --exclude PATTERN: none that match; both can be given
                      several times
  --NAME V            another member of POST /api/v1/crawls/: --scope domain, --delay_ms 500, --retries 0
  --request.NAME V    a member of the scrape request for every page: --request.scraper http
${RESULT_USAGE}
${JOB_USAGE}
${CONNECTION_USAGE}
${EXIT_CODE_USAGE} URLs that a crawl skips are no failures.`,
  async run(args, io) {
    const options = readOptions(args, { ...RESULT_OPTIONS, lists: LISTS }, 1);
    const url = requireArgument(options.positionals[0], 'URL');
    for (const name of ['url', 'urls'])
      if (Object.hasOwn(options.members, name))
        throw new CommandError(`--${name} contradicts URL, which is the first argument`, WRONG_USAGE);
    const results = await readResultOptions(options);
    const { request = {}, ...members } = options.members;
    // An invalid value of `request` is sent as it is, to be refused.
    const wanted = isObject(request) ? withWantedFormat(request, results) : request;
    const start = { path: '/api/v1/crawls/', body: { url, ...members, request: wanted } } as const;
    return withApi(io, (api, signal) => runJob({ api, io, signal }, start, results));
  },
};
