// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';

await import('../../end-to-end/crawls.test.ts');
await import('../../end-to-end/crawl-boilerplate.test.ts');
await import('../../end-to-end/maps.test.ts');
