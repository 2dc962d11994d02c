// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';

await import('../../end-to-end/records-after-kill.test.ts');
await import('../../end-to-end/records-retained.test.ts');
