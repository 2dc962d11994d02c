// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';

await import('../../end-to-end/templates.test.ts');
await import('../../end-to-end/stats.test.ts');
await import('../../end-to-end/usage.test.ts');
await import('../../end-to-end/costs.test.ts');
await import('../../end-to-end/learning.test.ts');
await import('../../end-to-end/pools-by-api.test.ts');
