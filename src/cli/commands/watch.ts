import { uuidBytes } from '../../base/uuid7.ts';
import { type CommandCall, CommandError, type RunCommand, WRONG_USAGE } from '../core/command.ts';
import { withApi } from '../core/connect.ts';
import { readResultOptions } from '../core/results.ts';
import { watchJob } from '../core/run-job.ts';
import { watchPage } from './watch-page.ts';

const SCHEDULE = ['every', 'cron', 'timezone'];

export const watch: RunCommand = async (call, io) => {
  const { values, members } = call;
  const target = call.words[0]!;
  if (uuidBytes(target) === null) {
    if (values.has('output'))
      throw new CommandError('-o is for jobs; the changes of a page go to standard output', WRONG_USAGE);
    const body = monitorRequest(target, call);
    const json = call.flags.has('json');
    return withApi(io, call, (api, signal) => watchPage({ api, io, signal }, { url: target, body, json }));
  }
  const other = [...SCHEDULE.filter((name) => values.has(name)), ...Object.keys(members)];
  if (other.length > 0)
    throw new CommandError(`--${other[0]} is for pages, and ${target} is a job`, WRONG_USAGE);
  const results = await readResultOptions(call);
  const id = target.toLowerCase();
  return withApi(io, call, (api, signal) => watchJob({ api, io, signal }, id, results), id);
};

const MAX_NAME_CHARS = 200;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The body of `POST /api/v1/monitors/`. */
function monitorRequest(url: string, { values, members }: CommandCall): object {
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
