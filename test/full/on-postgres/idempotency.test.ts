// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';

await import('../../end-to-end/idempotency.test.ts');
