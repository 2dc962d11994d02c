import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { ROOT, SLUICE } from '../../helpers/repository.ts';
import { eventually, startService, useOwnService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { RecordList, ScrapeAnswer } from '../../helpers/wire-types.ts';

const SCRAPE = '/api/v1/scrape/';
const ADMIN = 'admin@localhost';
const SETPRIV = '/usr/bin/setpriv';

describe('the command line', () => {
  const site = useSite();
  const service = useOwnService();

  for (const words of [
    [],
    ['serve'],
    ['keys'],
    ['users'],
    ['backup'],
    ['restore'],
    ['scrape'],
    ['batch'],
    ['crawl'],
    ['map'],
    ['watch'],
  ])
    test(`${['sluice', ...words, '--help'].join(' ')}`, async () => {
      const { code, stdout, stderr } = await runChild(SLUICE, [...words, '--help']);
      assert.equal(code, 0, stderr);
      assert.ok(stdout.includes(`sluice ${words[0] ?? ''}`.trim()), stdout);
      assert.equal(stderr, '');
    });

  for (const word of ['--version', 'version'])
    test(`${word} is that of the package`, async () => {
      const { code, stdout } = await runChild(SLUICE, [word]);
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      assert.equal(code, 0);
      assert.equal(stdout, `${version}\n`);
    });

  test('a mistyped command or option: what was most likely meant', async () => {
    for (const [words, why] of [
      [['serv'], 'unknown command "serv"; did you mean "serve"?'],
      [['verison'], 'unknown command "verison"; did you mean "version"?'],
      [['keys', 'crate'], 'unknown command "keys crate"; did you mean "keys create"?'],
      [['users', 'lists'], 'unknown command "users lists"; did you mean "users list"?'],
      [['keys'], 'keys needs a command'],
      [['keys', 'create', '--nam', 'x'], 'unknown option "--nam"; did you mean "--name"?'],
      [['keys', 'list', '--yaml'], 'unknown option "--yaml"'],
    ] as const) {
      const { code, stderr } = await runChild(SLUICE, [...words]);
      assert.equal(code, 2);
      assert.equal(stderr.split('\n')[0], `sluice: ${why}`);
    }
  });

  test('invalid arguments: exit code 2, and the error on stderr', async () => {
    for (const words of [
      ['dance'],
      ['keys'],
      ['users'],
      ['keys', 'dance'],
      ['keys', 'create', '--nam', 'x'],
      ['backup'],
      ['serve', '--prot', '1'],
    ]) {
      const { code, stdout, stderr } = await service.cli(words);
      assert.equal(code, 2, `${words}: ${stdout}${stderr}`);
      assert.doesNotMatch(stderr, /"\w+ "/, 'no blank for a word that is missing');
      assert.ok(stderr.length > 10);
      assert.doesNotMatch(stderr, /\n\s+at .*:\d+:\d+/, 'no stack');
    }
  });

  test('keys: created, good at once, listed, revoked; the running service knows within a second', async () => {
    const made = await service.cli(['keys', 'create', '--user', ADMIN, '--name', 'by hand']);
    assert.deepEqual([made.code, made.stderr], [0, '']);
    const key = made.stdout.trim();
    assert.match(key, /^slc_live_[A-Za-z0-9]{40,}$/, 'only the key, so that a script can take it');
    assert.equal(
      (await service.api('GET', SCRAPE, { key })).status,
      200,
      'the next command of a script uses it',
    );
    const listed = await service.cli(['keys', 'list']);
    assert.equal(listed.code, 0);
    const line = listed.stdout.split('\n').find((one) => one.includes('by hand'))!;
    assert.ok(!listed.stdout.includes(key) && line.includes(key.slice(-4)), line);
    const id = line.split('\t')[0]!;
    const revoked = await service.cli(['keys', 'revoke', id]);
    assert.deepEqual([revoked.code, revoked.stderr], [0, '']);
    await eventually(async () => (await service.api('GET', SCRAPE, { key })).status === 401, 1000);
    const again = await service.cli(['keys', 'revoke', id]);
    assert.notEqual(again.code, 0);
    assert.match((await service.cli(['keys', 'list'])).stdout, /by hand\trevoked/);
  });

  test('keys: created with scopes', async () => {
    const create = (name: string, ...words: string[]) =>
      service.cli(['keys', 'create', '--user', ADMIN, '--name', name, ...words]);
    const scopesOf = async (name: string) => {
      const { stdout } = await service.cli(['keys', 'list']);
      return stdout
        .split('\n')
        .find((line) => line.includes(`\t${name}\t`))!
        .split('\t')
        .at(-1);
    };
    assert.equal((await create('usual')).code, 0);
    assert.equal(await scopesOf('usual'), 'scrape,read,jobs');
    const reader = await create('reader', '--scope', 'read');
    assert.equal(await scopesOf('reader'), 'read');
    const { status } = await service.api('POST', SCRAPE, { key: reader.stdout.trim(), body: {} });
    assert.equal(status, 403);
    await create('two', '--scope', 'jobs,read', '--scope', 'read');
    assert.equal(await scopesOf('two'), 'jobs,read');
    const wrong = await create('wrong', '--scope', 'wirte');
    assert.notEqual(wrong.code, 0);
    assert.match(wrong.stderr, /one of scrape, read, jobs, .*admin; got "wirte"/);
  });

  test('an output that cannot be written is an error; a reader that closes the pipe is not', async (t) => {
    if (!existsSync('/dev/full')) return t.skip('there is no /dev/full');
    const to = (where: string, words: readonly string[]) => {
      const env = { ...process.env, SLUICE_DATA_DIR: service.dataDir };
      return runChild('sh', ['-c', `"$@" ${where}`, 'sh', SLUICE, ...words], { env });
    };
    const create = ['keys', 'create', '--user', ADMIN, '--name', 'lost'];
    for (const words of [create, ['users', 'list'], ['--version'], ['keys', '--help']]) {
      const { code, stderr } = await to('>/dev/full', words);
      assert.equal(code, 1, `${words}: ${stderr}`);
      assert.match(stderr, /^sluice: the output cannot be written: ENOSPC/m);
    }
    const gone = await runChild(
      'sh',
      ['-c', '{ { "$@"; echo $? >&3; } | :; } 3>&1', 'sh', SLUICE, 'users', 'list'],
      { env: { ...process.env, SLUICE_DATA_DIR: service.dataDir } },
    );
    assert.deepEqual([gone.stdout, gone.stderr], ['0\n', '']);
  });

  test('data that cannot be read is not reported as missing', async (t) => {
    // Root may read all, until its capabilities are taken.
    const wrap = process.getuid!() === 0 ? [SETPRIV, '--bounding-set=-all', '--inh-caps=-all'] : [];
    if (wrap.length > 0 && !existsSync(SETPRIV)) return t.skip('needs the command setpriv');
    const locked = join(service.dataDir, '..', 'locked');
    mkdirSync(locked, { mode: 0 });
    t.after(() => chmodSync(locked, 0o700));
    for (const words of [
      ['users', 'list'],
      ['scrape', `${site.url}/text`],
    ]) {
      const [command, ...args] = [...wrap, SLUICE, ...words];
      const env = { ...process.env, SLUICE_DATA_DIR: locked };
      const { code, stderr } = await runChild(command!, args, { env });
      assert.equal(code, 1, stderr);
      assert.match(stderr, /^sluice: the folder of SLUICE_DATA_DIR cannot be read: EACCES.*sluice\.db/);
    }
  });

  test('users: created with a password from stdin, a limit of their own, listed', async () => {
    const email = 'ann@example.com';
    const made = await service.cli(
      ['users', 'create', '--email', email, '--password', '-', '--concurrency', '2'],
      {
        input: 'a fine password\n',
      },
    );
    assert.deepEqual([made.code, made.stderr], [0, '']);
    assert.match((await service.cli(['users', 'list'])).stdout, /ann@example\.com\tuser\t2/);
    const key = (await service.cli(['keys', 'create', '--user', email, '--name', 'hers'])).stdout.trim();
    const reply = await eventually(async () => {
      const one = await service.api('GET', SCRAPE, { key });
      return one.status === 200 && one;
    }, 1000);
    assert.equal(reply.headers.get('ratelimit-policy'), '"concurrency";q=2;qu="concurrent-requests"');
    assert.equal(reply.headers.get('ratelimit'), '"concurrency";r=1');
    assert.equal((await service.cli(['users', 'set', '--email', email, '--concurrency', 'default'])).code, 0);
    await eventually(async () => {
      const { headers } = await service.api('GET', SCRAPE, { key });
      return headers.get('ratelimit')?.endsWith('r=49');
    }, 1000);
    for (const [word, status] of [
      ['--disable', 403],
      ['--enable', 200],
    ] as const) {
      assert.equal((await service.cli(['users', 'set', '--email', email, word])).code, 0);
      await eventually(async () => (await service.api('GET', SCRAPE, { key })).status === status, 1000);
    }
    const twice = await service.cli([
      'users',
      'create',
      '--email',
      'ANN@example.com',
      '--password',
      'long enough 1',
    ]);
    assert.notEqual(twice.code, 0);
    assert.match(twice.stderr, /example\.com|e-?mail/i);
    const many = await service.cli(['users', 'set', '--email', email, '--concurrency', '1000000']);
    assert.equal(many.code, 2);
    assert.match(many.stderr, /from 1 to 100000, or default; got "1000000"/);
    const nothing = await service.cli(['users', 'set', '--email', email]);
    assert.deepEqual([nothing.code, nothing.stdout], [2, '']);
    assert.match(nothing.stderr, /^sluice: nothing to change\n/);
  });

  test('backup of a running service, restored elsewhere: users, keys, records, large contents', async () => {
    const file = join(service.dataDir, '..', 'backup.file');
    const small = (await service.scrape({ url: `${site.url}/text` })).body;
    const large = (await service.scrape({ url: `${site.url}/html/700000` })).body;
    assert.equal(large.content?.length, 700_000);
    // Under load: a backup is consistent, and nobody waits for it.
    let running = true;
    const load = (async () => {
      let count = 0;
      for (; running; count++)
        assert.equal((await service.scrape({ url: `${site.url}/text?load` })).status, 200);
      return count;
    })();
    const key = (
      await service.cli(['keys', 'create', '--user', ADMIN, '--name', 'revoked later'])
    ).stdout.trim();
    const saved = await service.cli(['backup', file]);
    running = false;
    assert.ok((await load) > 0);
    assert.equal(saved.code, 0, saved.stderr);
    assert.equal(statSync(file).mode & 0o777, 0o600, 'nobody else may read what is in it');
    const twice = await service.cli(['backup', file]);
    assert.notEqual(twice.code, 0, 'an existing file is not overwritten');

    const lines = (await service.cli(['keys', 'list'])).stdout.trim().split('\n');
    const id = lines.find((line) => line.includes('revoked later'))!.split('\t')[0]!;
    assert.equal((await service.cli(['keys', 'revoke', id])).code, 0);

    const dataDir = join(service.dataDir, '..', 'restored');
    const restored = await service.cli(['restore', file], { env: { SLUICE_DATA_DIR: dataDir } });
    assert.equal(restored.code, 0, restored.stderr);
    const live = lines.filter((line) => line.includes('\tactive\t'));
    assert.match(
      restored.stdout,
      new RegExp(`^API keys that work now: ${live.length}\\..* revoked .* again`, 'm'),
    );
    {
      // Without SLUICE_API_KEY: the key comes from the backup.
      await using other = await startService({ SLUICE_API_KEY: undefined }, { dataDir });
      for (const answer of [small, large]) {
        const { status, body } = await other.api<ScrapeAnswer>('GET', `${SCRAPE}${answer.id}/`);
        assert.equal(status, 200);
        assert.equal(body.content, answer.content);
      }
      assert.ok((await other.api<RecordList>('GET', SCRAPE, { key })).body.items.length >= 2);
      await other.stop();
    }
    const over = await service.cli(['restore', file], { env: { SLUICE_DATA_DIR: dataDir } });
    assert.notEqual(over.code, 0, 'not over existing data');
    const forced = await service.cli(['restore', file, '--force'], { env: { SLUICE_DATA_DIR: dataDir } });
    assert.equal(forced.code, 0, forced.stderr);
  });

  test('without data most commands say so, and create none', async () => {
    const dataDir = join(service.dataDir, '..', 'elsewhere');
    const there = (words: string[]) => service.cli(words, { env: { SLUICE_DATA_DIR: dataDir } });
    const nothing = join(dataDir, '..', 'nothing');
    const noBackup = join(dataDir, '..', 'no backup');
    writeFileSync(noBackup, 'of any kind');
    for (const [words, why] of [
      [['users', 'list'], /no data folder at .*elsewhere/],
      [['users', 'link', '--email', ADMIN], /no data folder/],
      [['users', 'set', '--email', ADMIN, '--disable'], /no data folder/],
      [['keys', 'create', '--user', ADMIN, '--name', 'x'], /no data folder/],
      [['keys', 'list'], /no data folder/],
      [['keys', 'revoke', 'x'], /no data folder/],
      [['backup', nothing], /no data folder/],
      [['restore', nothing], /does not exist/],
      [['restore', noBackup], /not a database/],
    ] as const) {
      const { code, stdout, stderr } = await there([...words]);
      assert.deepEqual([code, stdout], [1, ''], `${words}: ${stderr}`);
      assert.match(stderr, why);
      assert.ok(!existsSync(dataDir), `${words}`);
    }
    mkdirSync(dataDir);
    assert.match((await there(['users', 'list'])).stderr, /no data of Sluice in .*elsewhere/);
    assert.deepEqual(readdirSync(dataDir), []);
    const made = await there(['users', 'create', '--email', ADMIN, '--password', 'long enough 1', '--admin']);
    assert.equal(made.code, 0, made.stderr);
    assert.match((await there(['users', 'list'])).stdout, /admin@localhost\tadmin/);
    assert.equal(statSync(join(dataDir, 'sluice.db')).mode & 0o777, 0o600);
    // A scrape needs nothing that stays.
    const none = join(dataDir, '..', 'none');
    const scraped = await service.cli(['scrape', `${site.url}/text`], { env: { SLUICE_DATA_DIR: none } });
    assert.equal(scraped.code, 0, scraped.stderr);
    assert.equal(JSON.parse(scraped.stdout).status_code, 200);
    assert.ok(!existsSync(none));
    // Nor does a picture, which comes along: a link would lead nowhere.
    const picture = ['scrape', `${site.url}/html/500`, '--screenshot', 'true', '--router', 'cheapest'];
    const pictured = await service.cli(picture, { env: { SLUICE_DATA_DIR: none } });
    assert.match(JSON.parse(pictured.stdout).screenshot_url, /^data:image\/png;/, pictured.stderr);
    // A refused user leaves data without a user: a scrape is nobody who might make one.
    const env = { SLUICE_DATA_DIR: join(dataDir, '..', 'half') };
    assert.notEqual(
      (await service.cli(['users', 'create', '--email', 'bad', '--password', 'long enough 1'], { env })).code,
      0,
    );
    assert.match((await service.cli(['scrape', `${site.url}/text`], { env })).stderr, /no administrator yet/);
    assert.equal((await service.cli(['users', 'list'], { env })).stdout, '');
  });

  test('restore under a running service is refused', async () => {
    const file = join(service.dataDir, '..', 'second.file');
    assert.equal((await service.cli(['backup', file])).code, 0);
    const { code } = await service.cli(['restore', file, '--force']);
    assert.notEqual(code, 0);
    assert.equal((await service.api('GET', SCRAPE)).status, 200);
  });
});
