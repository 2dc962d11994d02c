/**
 * A PostgreSQL that waits until a commit is on the disk, as it does by default; that of the tests does not.
 * The helper is loaded only if it is used, because it begins a run of tests.
 */
export async function startDurablePostgres() {
  const { startPostgres } = await import('../../test/helpers/postgres.ts');
  return await startPostgres(['fsync=on']);
}
