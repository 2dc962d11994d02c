import '../../helpers/on-postgres.ts';

await import('../../end-to-end/records.test.ts');
await import('../../end-to-end/history.test.ts');
await import('../../end-to-end/keys.test.ts');
