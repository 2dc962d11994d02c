import '../../helpers/on-postgres.ts';

await import('../../end-to-end/jobs.test.ts');
