import '../../helpers/on-postgres.ts';

await import('../../end-to-end/monitors.test.ts');
