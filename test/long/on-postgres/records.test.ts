// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';

await import('../../end-to-end/records.test.ts');
await import('../../end-to-end/history.test.ts');
await import('../../end-to-end/history-content.test.ts');
await import('../../end-to-end/keys.test.ts');
await import('../../end-to-end/read-again.test.ts');
