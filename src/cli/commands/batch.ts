import { isObject } from '../../domain/json-schema.ts';
import { ApiError, problemText } from '../core/api-client.ts';
import { CommandError, type RunCommand } from '../core/command.ts';
import { withApi } from '../core/connect.ts';
import { readResultOptions, withWantedFormat } from '../core/results.ts';
import { runJob } from '../core/run-job.ts';
import { readBatchFile } from './batch-file.ts';

export const batch: RunCommand = async (call, io) => {
  const name = call.words[0]!;
  const results = await readResultOptions(call);
  const { job = {}, ...members } = call.members;
  const defaults = withWantedFormat(members, results);
  const { lines, places } = await readBatchFile(name);
  // An invalid value of `job` is sent as it is, to be refused.
  const settings = JSON.stringify({ job: isObject(job) ? { defaults, ...job } : job });
  const start = { path: '/api/v1/batches/', lines: `${[settings, ...lines].join('\n')}\n` } as const;
  return withApi(io, call, (api, signal) => runJob({ api, io, signal }, start, results)).catch(
    (error: unknown) => {
      throw error instanceof ApiError ? withPlaces(error, name, places) : error;
    },
  );
};

/** The error with the places of the requests in the file. */
function withPlaces({ errors, total, exitCode }: ApiError, name: string, places: readonly string[]) {
  // Line 1 is that of the settings.
  const place = ({ line = 1 }) => (line > 1 ? `${name}, ${places[line - 2]}: ` : '');
  return new CommandError(problemText(errors, total, place), exitCode);
}
