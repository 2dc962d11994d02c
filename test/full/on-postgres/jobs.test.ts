import '../../helpers/on-postgres.ts';

await import('../../end-to-end/jobs.test.ts');
await import('../../end-to-end/jobs-rights.test.ts');
await import('../../end-to-end/job-streams.test.ts');
