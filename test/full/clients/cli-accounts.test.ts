import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useRemoteCli } from './remote-cli.ts';

describe('users and keys of a remote service', () => {
  const { service, run } = useRemoteCli();

  /** What the command prints. */
  async function printed(args: readonly string[], input = ''): Promise<string> {
    const { code, stdout, stderr } = await run(args, { input });
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return stdout.trim();
  }

  test('keys and users: created, listed, changed, revoked', async () => {
    const key = await printed(['keys', 'create', '--remote', '--name', 'mine', '--scope', 'read']);
    assert.match(key, /^slc_live_\w{40,}$/);
    assert.equal((await service.api('GET', '/api/v1/scrape/', { key })).status, 200);
    const line = (await printed(['keys', 'list', '--remote']))
      .split('\n')
      .find((one) => one.includes('mine'))!;
    assert.match(line, /\tyou\tmine\tactive\t\S.*\tread$/);
    const id = line.split('\t')[0]!;
    await printed(['keys', 'revoke', id, '--remote']);
    assert.match(await printed(['keys', 'list', '--remote', '--json']), /"name":"mine","state":"revoked"/);

    const create = ['users', 'create', '--remote', '--email', 'ann@example.com', '--password', '-'];
    const user = await printed([...create, '--limits', 'job_concurrency=3,streams=2'], 'long enough 1\n');
    const { body } = await service.api<{ job_concurrency: number; limits: { streams: number } }>(
      'GET',
      `/api/v1/users/${user}/`,
    );
    assert.deepEqual([body.job_concurrency, body.limits.streams], [3, 2]);
    await printed([
      'users',
      'set',
      '--remote',
      '--email',
      'ANN@example.com',
      '--concurrency',
      '7',
      '--disable',
    ]);
    assert.equal(
      (await printed(['users', 'list', '--remote'])).split('\n').find((one) => one.startsWith('ann')),
      `ann@example.com\tuser\t7\tdisabled\t${user}`,
    );
    assert.match(await printed(['users', 'link', '--remote']), new RegExp(`^${service.base}/set-up#`));
  });

  test('what cannot be: refused, and why', async () => {
    const SLUICE_KEY = await printed(['keys', 'create', '--remote', '--name', 'narrow']);
    for (const [args, env, expected, why] of [
      [
        ['keys', 'create', '--remote', '--name', 'x', '--user', 'a@b.c'],
        {},
        2,
        /^sluice: --user contradicts --remote/,
      ],
      [
        ['keys', 'list', '--remote'],
        { SLUICE_URL: undefined, SLUICE_KEY: undefined },
        2,
        /^sluice: --remote needs SLUICE_URL/,
      ],
      [
        ['users', 'set', '--remote', '--email', 'a@b.c', '--password', 'long enough 1'],
        {},
        2,
        /^sluice: --password contradicts --remote/,
      ],
      [['users', 'list', '--remote'], { SLUICE_KEY }, 1, /^sluice: auth\.scope: /],
      [['keys', 'list'], {}, 1, /^sluice: there is no data folder/],
    ] as const) {
      const { code, stdout, stderr } = await run(args, { env });
      assert.deepEqual([code, stdout], [expected, ''], stderr);
      assert.match(stderr, why);
    }
  });
});
