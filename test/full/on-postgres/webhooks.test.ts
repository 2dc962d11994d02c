import '../../helpers/on-postgres.ts';

await import('../../end-to-end/webhooks.test.ts');
