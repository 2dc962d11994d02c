import { uuidBytes } from '../base/uuid7.ts';
import { type Command, CommandError, requireArgument, WRONG_USAGE } from './command.ts';
import { CONNECTION_USAGE, EXIT_CODE_USAGE, withApi } from './connect.ts';
import { type CommandOptions, readOptions } from './members.ts';
import { readResultOptions } from './results.ts';
import { watchJob } from './run-job.ts';
import { watchPage } from './watch-page.ts';

const SCHEDULE = ['every', 'cron', 'timezone'];

export const watch: Command = {
  usage: `sluice watch URL [--option value …]       prints the changes of a page as they come, until Ctrl+C
sluice watch JOB_ID [-o FILE|FOLDER]      follows a job to its end, with its results, as sluice batch does

  For a page:
  --every TIME        time between two looks, from 60s, such as 5m, 2h or 1d (default: 5m)
  --cron EXPRESSION   instead of --every: five fields, such as '0 8 * * 1-5'; --timezone Europe/Berlin (default: UTC)
  --format FORMAT     what is compared: markdown (default), text, main_html, extract, json, structured, screenshot, bytes
  --ignore WHAT       what does not count, such as dates, counters, a CSS selector or a /regular expression/; can be given
                      several times
  --compare.NAME V    another member of compare of POST /api/v1/monitors/, such as --compare.selector main
  --NAME V            a member of the scrape request, as for sluice scrape: --scraper http
  --json              prints each run with a change as a line of JSON instead of a unified diff

  The command makes a monitor, which looks at once and then by its schedule, and deletes it at the end.

  For a job: -o, --format and --json as for sluice batch. Ctrl+C leaves the job as it is.
${CONNECTION_USAGE}
${EXIT_CODE_USAGE} 0 also when Ctrl+C ends the watching of a page.`,
  async run(args, io) {
    const values = ['output', 'format', ...SCHEDULE];
    const lists = ['ignore', 'compare.ignore'];
    const options = readOptions(args, { flags: ['json'], values, lists }, 1);
    const target = requireArgument(options.positionals[0], 'URL or JOB_ID');
    if (uuidBytes(target) === null) {
      if (options.values.has('output'))
        throw new CommandError('-o is for jobs; the changes of a page go to standard output', WRONG_USAGE);
      const body = monitorRequest(target, options);
      const json = options.flags.has('json');
      return withApi(io, (api, signal) => watchPage({ api, io, signal }, { url: target, body, json }));
    }
    const other = [...SCHEDULE.filter((name) => options.values.has(name)), ...Object.keys(options.members)];
    if (other.length > 0)
      throw new CommandError(`--${other[0]} is for pages, and ${target} is a job`, WRONG_USAGE);
    const results = await readResultOptions(options);
    const id = target.toLowerCase();
    return withApi(io, (api, signal) => watchJob({ api, io, signal }, id, results), id);
  },
};

const MAX_NAME_CHARS = 200;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The body of `POST /api/v1/monitors/`. */
function monitorRequest(url: string, { values, members }: CommandOptions): object {
  if (Object.hasOwn(members, 'url'))
    throw new CommandError('--url contradicts URL, which is the first argument', WRONG_USAGE);
  const { compare = {}, ignore, ...request } = members;
  const [every, cron, timezone, format] = ['every', 'cron', 'timezone', 'format'].map((name) =>
    values.get(name),
  );
  return {
    name: `sluice watch ${url}`.slice(0, MAX_NAME_CHARS),
    request: { url, ...request },
    schedule: {
      ...(cron === undefined || every !== undefined ? { every_s: secondsOf(every ?? '5m') } : {}),
      ...(cron === undefined ? {} : { cron }),
      ...(timezone === undefined ? {} : { timezone }),
    },
    compare: {
      ...(format === undefined ? {} : { format }),
      ...(ignore === undefined ? {} : { ignore }),
      ...(compare as object),
    },
  };
}

/** `5m` → 300 */
function secondsOf(text: string): number {
  const [, number, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined)
    throw new CommandError(
      `--every must be a number with s, m, h or d, such as 5m; got "${text}"`,
      WRONG_USAGE,
    );
  return Number(number) * SECONDS[unit]!;
}
