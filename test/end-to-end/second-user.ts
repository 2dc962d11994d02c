import assert from 'node:assert/strict';
import { eventually, type Service } from '../helpers/service.ts';

/** Creates a user who is no administrator, and returns an API key of theirs. */
export async function secondUser(service: Service): Promise<string> {
  const cli = async (...args: string[]) => {
    const done = await service.cli(args);
    assert.equal(done.code, 0, done.stderr);
    return done.stdout;
  };
  await cli('users', 'create', '--email', 'calm@example.test', '--password', 'correct horse battery');
  const made = await cli('keys', 'create', '--user', 'calm@example.test', '--name', 'calm');
  const key = /slc_live_\S+/.exec(made)![0];
  // Another process has created the key, so the service learns of it a moment later.
  await eventually(
    async () => (await service.api('GET', '/api/v1/scrapers/', { key })).status === 200,
    10_000,
  );
  return key;
}
