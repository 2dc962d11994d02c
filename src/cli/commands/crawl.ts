import { isObject } from '../../domain/json-schema.ts';
import { CommandError, type RunCommand, WRONG_USAGE } from '../core/command.ts';
import { withApi } from '../core/connect.ts';
import { readResultOptions, withWantedFormat } from '../core/results.ts';
import { runJob } from '../core/run-job.ts';

export const crawl: RunCommand = async (call, io) => {
  const url = call.words[0]!;
  for (const name of ['url', 'urls'])
    if (Object.hasOwn(call.members, name))
      throw new CommandError(`--${name} contradicts URL, which is the first argument`, WRONG_USAGE);
  const results = await readResultOptions(call);
  const { request = {}, ...members } = call.members;
  // An invalid value of `request` is sent as it is, to be refused.
  const wanted = isObject(request) ? withWantedFormat(request, results) : request;
  const start = { path: '/api/v1/crawls/', body: { url, ...members, request: wanted } } as const;
  return withApi(io, call, (api, signal) => runJob({ api, io, signal }, start, results));
};
