import assert from 'node:assert/strict';
import { eventually, type Service } from './service.ts';
import { PASSWORD } from './visitor.ts';

/** Creates a user with `PASSWORD` and an API key on the command line. Returns the key when the service accepts it. */
export async function createUserWithKey(
  service: Service,
  email = 'other@example.com',
  { admin = false }: { readonly admin?: boolean } = {},
): Promise<string> {
  const user = ['--email', email, '--password', PASSWORD, ...(admin ? ['--admin'] : [])];
  const created = await service.cli(['users', 'create', ...user]);
  assert.equal(created.code, 0, created.stderr);
  const { code, stdout, stderr } = await service.cli([
    'keys',
    'create',
    '--user',
    email,
    '--name',
    'by hand',
  ]);
  assert.equal(code, 0, stderr);
  const key = stdout.trim();
  await eventually(async () => (await service.api('GET', '/api/v1/scrape/', { key })).status === 200, 2000);
  return key;
}
