import { isObject } from '../domain/json-schema.ts';
import { ApiError, problemText } from './api-client.ts';
import { readBatchFile } from './batch-file.ts';
import { type Command, CommandError, requireArgument } from './command.ts';
import { CONNECTION_USAGE, EXIT_CODE_USAGE, withApi } from './connect.ts';
import { readOptions } from './members.ts';
import { RESULT_OPTIONS, RESULT_USAGE, readResultOptions, withWantedFormat } from './results.ts';
import { JOB_USAGE, runJob } from './run-job.ts';

export const batch: Command = {
  usage: `sluice batch FILE [-o FILE|FOLDER] [--option value …]   scrapes the URLs in a file

  FILE has a URL a line, or a scrape request a line (JSON), or is CSV with a column url (and ref, which the results
  repeat); - is standard input. Lines that begin with # do not count.

${RESULT_USAGE}
  --NAME V            a member of the scrape request for all URLs, as for sluice scrape: --scraper http
  --job.NAME V        another member of POST /api/v1/batches/: --job.concurrency 5, --job.retries 0, --job.invalid skip
${JOB_USAGE}
${CONNECTION_USAGE}
${EXIT_CODE_USAGE}`,
  async run(args, io) {
    const options = readOptions(args, RESULT_OPTIONS, 1);
    const name = requireArgument(options.positionals[0], 'FILE');
    const results = await readResultOptions(options);
    const { job = {}, ...members } = options.members;
    const defaults = withWantedFormat(members, results);
    const { lines, places } = await readBatchFile(name);
    // An invalid value of `job` is sent as it is, to be refused.
    const settings = JSON.stringify({ job: isObject(job) ? { defaults, ...job } : job });
    const start = { path: '/api/v1/batches/', lines: `${[settings, ...lines].join('\n')}\n` } as const;
    return withApi(io, (api, signal) => runJob({ api, io, signal }, start, results)).catch(
      (error: unknown) => {
        throw error instanceof ApiError ? withPlaces(error, name, places) : error;
      },
    );
  },
};

/** The error with the places of the requests in the file. */
function withPlaces({ errors, total, exitCode }: ApiError, name: string, places: readonly string[]) {
  // Line 1 is that of the settings.
  const place = ({ line = 1 }) => (line > 1 ? `${name}, ${places[line - 2]}: ` : '');
  return new CommandError(problemText(errors, total, place), exitCode);
}
