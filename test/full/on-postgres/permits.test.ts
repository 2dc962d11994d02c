import '../../helpers/on-postgres.ts';

await import('../../end-to-end/permits.test.ts');
await import('../../end-to-end/health-and-metrics.test.ts');
