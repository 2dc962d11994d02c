// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';

await import('../../end-to-end/jobs.test.ts');
await import('../../end-to-end/jobs-rights.test.ts');
