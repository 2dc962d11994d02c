// Own process: its PATH begins with keyring programs of the test, and its TMPDIR is looked at.
import assert from 'node:assert/strict';
import { createCipheriv, hash, pbkdf2Sync } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Sqlite, { type Database } from 'better-sqlite3';
import { type BrowserChoice, type Home, readBrowserCookies } from '../../src/cli/browsers/read-browser.ts';
import { CommandError } from '../../src/cli/core/command.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-test-cookies-'));
const programs = join(root, 'bin');
const copies = mkdtempSync(join(root, 'copies-'));
const earlierPath = process.env.PATH;
before(() => {
  process.env.PATH = programs + delimiter + earlierPath;
  process.env.TMPDIR = copies;
});
after(() => {
  rmSync(root, { recursive: true });
});

/** A home of its own. */
function newHome(platform: NodeJS.Platform = 'linux'): Home {
  const home = mkdtempSync(join(root, 'home-'));
  return { platform, home, config: join(home, '.config') };
}

/** A program of the keyring, which prints a password, or fails. */
function withProgram(name: string, body: string): Disposable {
  mkdirSync(programs, { recursive: true });
  const file = join(programs, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return { [Symbol.dispose]: () => rmSync(file) };
}

function encrypted(prefix: string, password: string, rounds: number, plain: Buffer): Buffer {
  const key = pbkdf2Sync(password, 'saltysalt', rounds, 16, 'sha1');
  const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16, ' '));
  return Buffer.concat([Buffer.from(prefix), cipher.update(plain), cipher.final()]);
}

interface ChromeRow {
  readonly host: string;
  readonly name: string;
  /** In clear, or encrypted. */
  readonly value: string | Buffer;
  /** Seconds since the epoch; null: a session cookie. */
  readonly expires?: number | null;
  readonly sameSite?: number;
  readonly partition?: string;
}

const IN_AN_HOUR = Math.floor(Date.now() / 1_000) + 3_600;

/** `Cookies` as Chromium writes it, open, as by a running browser. */
function chromeDatabase(file: string, version: number, rows: readonly ChromeRow[]): Database {
  mkdirSync(dirname(file), { recursive: true });
  const database = new Sqlite(file);
  database.exec(`CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
    CREATE TABLE cookies(creation_utc INTEGER NOT NULL, host_key TEXT NOT NULL, top_frame_site_key TEXT NOT NULL,
      name TEXT NOT NULL, value TEXT NOT NULL, encrypted_value BLOB NOT NULL, path TEXT NOT NULL,
      expires_utc INTEGER NOT NULL, is_secure INTEGER NOT NULL, is_httponly INTEGER NOT NULL, has_expires INTEGER NOT NULL,
      samesite INTEGER NOT NULL${version >= 23 ? ', has_cross_site_ancestor INTEGER NOT NULL DEFAULT 0' : ''})`);
  database.prepare("INSERT INTO meta VALUES ('version', ?)").run(String(version));
  const insert = database.prepare(
    `INSERT INTO cookies(creation_utc, host_key, top_frame_site_key, name, value, encrypted_value, path, expires_utc, is_secure,
      is_httponly, has_expires, samesite) VALUES (0, ?, ?, ?, ?, ?, '/', ?, 1, 1, ?, ?)`,
  );
  for (const { host, name, value, expires = IN_AN_HOUR, sameSite = 1, partition = '' } of rows) {
    const isClear = typeof value === 'string';
    const at = expires === null ? 0n : BigInt(expires + 11_644_473_600) * 1_000_000n;
    insert.run(
      host,
      partition,
      name,
      isClear ? value : '',
      isClear ? Buffer.alloc(0) : value,
      at,
      expires === null ? 0 : 1,
      sameSite,
    );
  }
  return database;
}

const hashed = (host: string, value: string) =>
  Buffer.concat([hash('sha256', host, 'buffer'), Buffer.from(value)]);

const chromeFile = ({ home }: Home, profile = 'Default') =>
  join(home, '.config/google-chrome', profile, 'Cookies');

const read = (at: Home, choice: Partial<BrowserChoice> = {}) =>
  readBrowserCookies({ browser: 'chrome', profile: null, domains: ['example.com'], ...choice }, at);

const valuesOf = async (at: Home, choice?: Partial<BrowserChoice>) =>
  (await read(at, choice)).cookies.map(({ name, value }) => `${name}=${value}`);

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CommandError, String(error));
  return error.message;
};

const basic = (host: string, value: string) => encrypted('v10', 'peanuts', 1, hashed(host, value));

describe('cookies of Chrome', () => {
  it('are read while the browser holds its database', async () => {
    const at = newHome();
    const database = chromeDatabase(chromeFile(at), 24, [
      { host: '.example.com', name: 'sid', value: basic('.example.com', 'sécret') },
      { host: 'www.example.com', name: 'plain', value: 'as it is', expires: null, sameSite: 2 },
      {
        host: 'example.com',
        name: 'part',
        value: basic('example.com', 'p'),
        sameSite: 0,
        partition: 'https://shop.test',
      },
      { host: 'example.com', name: 'old', value: 'gone', expires: 1_000_000_000 },
      { host: 'notexample.com', name: 'other', value: 'of another site' },
    ]);
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec("BEGIN EXCLUSIVE; UPDATE meta SET value = '24'");
    const { cookies, unreadable } = await read(at);
    database.close();
    const common = { path: '/', expires: IN_AN_HOUR, httpOnly: true, secure: true, sameSite: 'Lax' };
    assert.deepEqual(cookies, [
      { ...common, name: 'sid', value: 'sécret', domain: '.example.com' },
      {
        ...common,
        name: 'plain',
        value: 'as it is',
        domain: 'www.example.com',
        expires: -1,
        sameSite: 'Strict',
      },
      {
        ...common,
        name: 'part',
        value: 'p',
        domain: 'example.com',
        sameSite: 'None',
        partitionKey: 'https://shop.test',
        _crHasCrossSiteAncestor: false,
      },
    ]);
    assert.equal(unreadable, 0);
    assert.deepEqual(readdirSync(copies), []);
  });

  it('are read from a write-ahead log, too, and of versions without a hash', async () => {
    const at = newHome();
    using database = closing(chromeDatabase(chromeFile(at), 22, []));
    database.pragma('journal_mode = WAL');
    database
      .prepare(
        `INSERT INTO cookies VALUES (0, 'example.com', '', 'a', '', ?, '/', ${(BigInt(IN_AN_HOUR) + 11_644_473_600n) * 1_000_000n}, 0, 0, 1, -1)`,
      )
      .run(encrypted('v10', 'peanuts', 1, Buffer.from('1')));
    assert.deepEqual(await valuesOf(at), ['a=1']);
  });

  it('need the key of the keyring', async () => {
    const at = newHome();
    const row = (host: string, name: string, password: string): ChromeRow => ({
      host,
      name,
      value: encrypted('v11', password, 1, hashed(host, name)),
    });
    chromeDatabase(chromeFile(at), 24, [
      row('example.com', 'kept', 'from the keyring'),
      row('example.com', 'empty', ''),
      row('example.com', 'lost', 'of an earlier keyring'),
    ]).close();
    process.env.PATH = programs;
    assert.match(await refusal(read(at)), /libsecret-tools.*--from FILE/);
    process.env.PATH = programs + delimiter + earlierPath;
    {
      using _ = withProgram('secret-tool', 'exit 1');
      assert.match(await refusal(read(at)), /no key of Chrome, or is locked/);
    }
    using _ = withProgram(
      'secret-tool',
      '[ "$*" = "lookup application chrome" ] && printf "from the keyring"',
    );
    const { cookies, unreadable } = await read(at);
    assert.deepEqual(
      cookies.map(({ value }) => value),
      ['kept', 'empty'],
    );
    assert.equal(unreadable, 1);
  });

  it('that belong to other hosts, or have an unknown encryption, are counted', async () => {
    const at = newHome();
    chromeDatabase(chromeFile(at), 24, [
      { host: 'example.com', name: 'moved', value: basic('evil.test', 'x') },
      { host: 'example.com', name: 'app-bound', value: Buffer.from('v20............................') },
    ]).close();
    assert.match(await refusal(read(at)), /none of the 2 cookies could be decrypted/);
  });

  it('are those of the profile that was used last, or of the one that is named', async () => {
    const at = newHome();
    for (const profile of ['Default', 'Profile 1'])
      chromeDatabase(chromeFile(at, profile), 24, [
        { host: 'example.com', name: 'of', value: basic('example.com', profile) },
      ]).close();
    assert.deepEqual(await valuesOf(at), ['of=Default']);
    writeFileSync(
      join(at.home, '.config/google-chrome/Local State'),
      JSON.stringify({ profile: { last_used: 'Profile 1' } }),
    );
    assert.deepEqual(await valuesOf(at), ['of=Profile 1']);
    assert.deepEqual(await valuesOf(at, { profile: 'Default' }), ['of=Default']);
    assert.deepEqual(await valuesOf(at, { profile: dirname(chromeFile(at)) }), ['of=Default']);
    assert.match(await refusal(read(at, { profile: 'Work' })), /no profile "Work" of Chrome/);
    assert.match(await refusal(read(at, { browser: 'chromium' })), /no cookies of Chromium were found/);
  });

  it('on macOS have the key of the Keychain', async () => {
    const at = newHome('darwin');
    const value = encrypted('v10', 'of the Keychain', 1_003, hashed('example.com', 'mac'));
    const file = join(at.home, 'Library/Application Support/Google/Chrome/Default/Network/Cookies');
    chromeDatabase(file, 24, [{ host: 'example.com', name: 'a', value }]).close();
    {
      using _ = withProgram('security', 'exit 44');
      assert.match(await refusal(read(at)), /Keychain did not give "Chrome Safe Storage"/);
    }
    const call = 'find-generic-password -w -a Chrome -s Chrome Safe Storage';
    using _ = withProgram('security', `[ "$*" = "${call}" ] && echo "of the Keychain"`);
    assert.deepEqual(await valuesOf(at), ['a=mac']);
  });

  it('are refused where they cannot be read', async () => {
    assert.match(await refusal(read(newHome('win32'))), /Linux and macOS alone: export/);
    const at = newHome();
    mkdirSync(dirname(chromeFile(at)), { recursive: true });
    writeFileSync(chromeFile(at), 'no database, but long enough to look like a file of one '.repeat(20));
    assert.match(await refusal(read(at)), /Cookies cannot be read: file is not a database/);
  });
});

describe('the domains', () => {
  it('are required to be domains, with their parents and subdomains', async () => {
    const at = newHome();
    chromeDatabase(chromeFile(at), 24, [
      { host: '.example.com', name: 'parent', value: '1' },
      { host: 'example.com', name: 'parent-only', value: '1' },
      { host: 'app.example.com', name: 'own', value: '1' },
      { host: '.eu.app.example.com', name: 'below', value: '1' },
      { host: 'www.example.com', name: 'sibling', value: '1' },
      { host: 'xn--bcher-kva.example', name: 'umlaut', value: '1' },
    ]).close();
    const namesOf = async (...domains: string[]) =>
      (await read(at, { domains })).cookies.map(({ name }) => name);
    assert.deepEqual(await namesOf('app.example.com'), ['parent', 'own', 'below']);
    assert.deepEqual(await namesOf('Bücher.example', 'www.example.com'), ['parent', 'sibling', 'umlaut']);
    assert.match(await refusal(read(at, { domains: ['example.org'] })), /no cookies of example\.org/);
    for (const domain of ['com', 'co.uk', 'github.io'])
      assert.match(await refusal(read(at, { domains: [domain] })), /anybody can register/);
    for (const domain of ['', 'https://example.com', 'a b', '*.example.com'])
      assert.match(await refusal(read(at, { domains: [domain] })), /must be a domain/);
  });
});

const closing = (database: Database): Database & Disposable =>
  Object.assign(database, { [Symbol.dispose]: () => void database.close() });

/** `cookies.sqlite` as Firefox writes it. */
function firefoxDatabase(file: string, version: number): Database {
  mkdirSync(dirname(file), { recursive: true });
  const database = new Sqlite(file);
  database.exec(`CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', name TEXT, value TEXT,
    host TEXT, path TEXT, expiry INTEGER, isSecure INTEGER, isHttpOnly INTEGER, sameSite INTEGER DEFAULT 0)`);
  database.pragma(`user_version = ${version}`);
  return database;
}

describe('cookies of Firefox', () => {
  const add = (database: Database, name: string, expiry: number, attributes = '', sameSite = 0, secure = 1) =>
    database
      .prepare("INSERT INTO moz_cookies VALUES (NULL, ?, ?, 'v', '.example.com', '/', ?, ?, 0, ?)")
      .run(attributes, name, expiry, secure, sameSite);

  it('are read from its write-ahead log, without those of containers', async () => {
    const at = newHome();
    const folder = join(at.home, '.mozilla/firefox');
    using database = closing(firefoxDatabase(join(folder, 'abc.default-release/cookies.sqlite'), 15));
    database.pragma('journal_mode = WAL');
    add(database, 'none', IN_AN_HOUR);
    add(database, 'unset', IN_AN_HOUR, '', 0, 0);
    add(database, 'strict', IN_AN_HOUR, '', 2);
    add(database, 'part', IN_AN_HOUR, '^partitionKey=%28https%2Cshop.test%29', 256);
    add(database, 'container', IN_AN_HOUR, '^userContextId=2');
    writeFileSync(
      join(folder, 'profiles.ini'),
      '[Install4F96D1932A9F858E]\nDefault=abc.default-release\nLocked=1\n\n[Profile1]\nName=old\nIsRelative=1\nPath=old\nDefault=1\n\n[Profile0]\nName=mine\nPath=abc.default-release\n',
    );
    const common = { value: 'v', domain: '.example.com', path: '/', expires: IN_AN_HOUR, httpOnly: false };
    const expected = [
      { ...common, name: 'none', secure: true, sameSite: 'None' },
      { ...common, name: 'unset', secure: false, sameSite: 'Lax' },
      { ...common, name: 'strict', secure: true, sameSite: 'Strict' },
      { ...common, name: 'part', secure: true, sameSite: 'Lax', partitionKey: 'https://shop.test' },
    ];
    assert.deepEqual((await read(at, { browser: 'firefox' })).cookies, expected);
    assert.deepEqual((await read(at, { browser: 'firefox', profile: 'mine' })).cookies, expected);
    assert.match(
      await refusal(read(at, { browser: 'firefox', profile: 'old' })),
      /no profile "old" of Firefox/,
    );
  });

  it('count their time in milliseconds since Firefox 142', async () => {
    const at = newHome('darwin');
    const folder = join(at.home, 'Library/Application Support/Firefox');
    const database = firefoxDatabase(join(folder, 'Profiles/x/cookies.sqlite'), 16);
    add(database, 'a', IN_AN_HOUR * 1_000);
    add(database, 'old', (IN_AN_HOUR - 7_200) * 1_000);
    database.close();
    writeFileSync(
      join(folder, 'profiles.ini'),
      '[Profile0]\r\nName=default\r\nPath=Profiles/x\r\nDefault=1\r\n',
    );
    const { cookies } = await read(at, { browser: 'firefox' });
    assert.deepEqual(
      cookies.map(({ name, expires }) => [name, expires]),
      [['a', IN_AN_HOUR]],
    );
  });
});
