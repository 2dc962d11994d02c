// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';

await import('../../end-to-end/sessions.test.ts');
await import('../../end-to-end/sessions-users.test.ts');
await import('../../end-to-end/sessions-throttle.test.ts');
await import('../../end-to-end/user-limits.test.ts');
await import('../../end-to-end/roles-audit.test.ts');
