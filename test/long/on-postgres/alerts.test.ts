// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';

await import('../../full/end-to-end/alerts.test.ts');
