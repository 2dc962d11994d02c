import '../../helpers/on-postgres.ts';

await import('../end-to-end/alerts.test.ts');
