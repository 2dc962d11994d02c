import { JOB_SORTS } from '../../domain/job-lists.ts';
import { JOB_KINDS, JOB_STATES } from '../../domain/jobs.ts';
import type { CommandSpec } from '../core/command.ts';
import { JSON_FLAG, LOCAL, RESULT_FLAGS } from '../core/flags.ts';

const JOB_ID = ['JOB_ID'];

/** `sluice jobs …` */
export const JOB_COMMANDS: CommandSpec = {
  name: 'jobs',
  summary: 'lists, shows and steers jobs',
  verbs: [
    {
      name: 'list',
      summary: 'lists jobs, the newest first',
      flags: [
        {
          name: 'state',
          value: 'STATE',
          choices: JOB_STATES,
          doc: `Only jobs in this state: ${JOB_STATES.join(', ')}.`,
        },
        {
          name: 'kind',
          value: 'KIND',
          choices: JOB_KINDS,
          doc: `Only jobs of this kind: ${JOB_KINDS.join(', ')}.`,
        },
        { name: 'q', value: 'TEXT', doc: 'Only jobs whose name or first URL contains this text.' },
        { name: 'tag', value: 'NAME:VALUE', doc: 'Only jobs with this tag.' },
        {
          name: 'sort',
          value: 'ORDER',
          choices: JOB_SORTS,
          doc: `The highest first, by one of ${JOB_SORTS.join(', ')} (default: created).`,
        },
        { name: 'with-runs', doc: 'Also runs of monitors and schedules.' },
        { name: 'limit', value: 'N', doc: 'Jobs at most (default: 20).' },
        { ...JSON_FLAG, doc: 'Lines of JSON also on a terminal, which otherwise gets a table.' },
        LOCAL,
      ],
      load: async () => (await import('./jobs.ts')).listJobs,
    },
    {
      name: 'show',
      summary: 'shows a job',
      words: JOB_ID,
      flags: [JSON_FLAG, LOCAL],
      load: async () => (await import('./jobs.ts')).showJob,
    },
    {
      name: 'results',
      summary: 'writes the results that there are, without waiting for more',
      words: JOB_ID,
      flags: [...RESULT_FLAGS, LOCAL],
      notes: ['To wait for the end of the job: sluice watch JOB_ID.'],
      load: async () => (await import('./jobs.ts')).jobResults,
    },
    {
      name: 'errors',
      summary: 'lists the items that failed, with the reason',
      words: JOB_ID,
      flags: [JSON_FLAG, LOCAL],
      load: async () => (await import('./jobs.ts')).jobErrors,
    },
    {
      name: 'pause',
      summary: 'starts no more items until the job is resumed',
      words: JOB_ID,
      flags: [JSON_FLAG, LOCAL],
      load: async () => (await import('./jobs.ts')).pauseJob,
    },
    {
      name: 'resume',
      summary: 'lets a paused job go on, with the rights of this key',
      words: JOB_ID,
      flags: [JSON_FLAG, LOCAL],
      load: async () => (await import('./jobs.ts')).resumeJob,
    },
    {
      name: 'retry',
      summary: 'tries the failed items of a job again',
      words: JOB_ID,
      flags: [JSON_FLAG, LOCAL],
      load: async () => (await import('./jobs.ts')).retryJob,
    },
    {
      name: 'try-now',
      summary: 'starts what waits for a retry at once',
      words: JOB_ID,
      flags: [JSON_FLAG, LOCAL],
      load: async () => (await import('./jobs.ts')).tryJobNow,
    },
    {
      name: 'cancel',
      summary: 'cancels a job; results stay',
      words: JOB_ID,
      flags: [{ name: 'purge', doc: 'Also deletes the job and its records.' }, LOCAL],
      load: async () => (await import('./jobs.ts')).cancelJob,
    },
  ],
};
