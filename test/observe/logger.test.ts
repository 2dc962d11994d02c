import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { createLogger } from '../../src/observe/logger.ts';

const KEY = `slc_live_abcdefghijkl${'S'.repeat(43)}CHECKS`;

function lines(level: 'info' | 'debug' = 'info') {
  const written: string[] = [];
  const { logger } = createLogger({ level, destination: { write: (line) => void written.push(line) } });
  return { logger, written };
}

describe('the logger', () => {
  it('writes one JSON line with level and time', () => {
    const { logger, written } = lines();
    logger.info({ a: 1 }, 'hello\nworld');
    logger.debug('not at this level');
    assert.equal(written.length, 1);
    assert.ok(written[0]?.endsWith('}\n') && written[0].indexOf('\n') === written[0].length - 1);
    const { time, ...rest } = JSON.parse(written[0] ?? '');
    assert.deepEqual(rest, { level: 'info', a: 1, msg: 'hello\nworld' });
    assert.equal(new Date(time).toISOString(), time);
  });

  const secrets: [what: string, fields: object][] = [
    ['authorization', { authorization: `Api-Key ${KEY}` }],
    ['cookies', { cookie: 'a=hunter2', cookies: [{ name: 'a', value: 'hunter2' }] }],
    [
      'keys and passwords',
      { key: KEY, api_key: KEY, password: 'hunter2', secret: 'hunter2', token: 'hunter2' },
    ],
    [
      'headers as an object',
      { headers: { Authorization: `Bearer ${KEY}`, 'Set-Cookie': 'a=hunter2', accept: '*/*' } },
    ],
    [
      'headers as a list',
      {
        request_headers: [
          ['Cookie', 'a=hunter2'],
          ['x-note', `my ${KEY}`],
        ],
      },
    ],
    ['errors', { err: new Error(`no ${KEY}`, { cause: new Error('https://me:hunter2@example.com/') }) }],
    ['foreign errors', { err: { request: { headers: { cookie: 'hunter2' } } } }],
    ['URLs', { url: 'https://me:hunter2@example.com/' }],
  ];
  for (const [what, fields] of secrets) {
    it(`hides ${what}`, () => {
      const { logger, written } = lines();
      logger.info(fields, `with ${KEY}`);
      assert.doesNotMatch(written[0] ?? '', /hunter2|SSSSS|CHECKS/);
      assert.match(written[0] ?? '', /"msg":"with slc_live_abcdefghijkl\[redacted\]"/);
    });
  }

  it('keeps what is no secret', () => {
    const { logger, written } = lines();
    logger.info({ headers: { accept: '*/*' }, err: new TypeError('mail a@b.c') }, 'm');
    const line = JSON.parse(written[0] ?? '');
    assert.deepEqual(line.headers, { accept: '*/*' });
    assert.equal(line.err.type, 'TypeError');
    assert.equal(line.err.message, 'mail a@b.c');
  });
});

describe('the output to a descriptor', () => {
  const program = (body: string): string[] => {
    const url = new URL('../../src/observe/logger.ts', import.meta.url);
    return [
      '--input-type=module-typescript',
      '-e',
      `import { createLogger } from ${JSON.stringify(url.href)};\n${body}`,
    ];
  };

  it('writes every line to a pipe, in order, and what is left at exit', () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      program(`const { logger } = createLogger({ level: 'info' });
        for (let i = 0; i < 2000; i++) logger.info({ i }, 'x'.repeat(300));
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        logger.info({ i: 2000 }, 'last');
        process.exit(0);`),
      { encoding: 'utf8', maxBuffer: 10_000_000 },
    );
    assert.equal(status, 0);
    const numbers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).i);
    assert.deepEqual(
      numbers,
      Array.from({ length: 2001 }, (_, i) => i),
    );
  });

  // Node gives a child a socket for its stdout, a shell gives a pipe. Both tell the exit code behind the drop count.
  const shells: [kind: string, script: string][] = [
    ['socket', '"$@"; echo " $?" >&2'],
    ['pipe', '{ "$@"; echo " $?" >&2; } | sleep 60'],
  ];
  for (const [kind, script] of shells) {
    it(`neither waits nor grows nor hangs at exit when nobody reads its ${kind}`, async () => {
      const args = program(`const log = createLogger({ level: 'info' });
        for (let i = 0; i < 30000; i++) log.logger.info('x'.repeat(300));
        await log.flush(100);
        process.stderr.write(String(log.dropped()));
        process.exit(0);`);
      const child = spawn('sh', ['-c', script, 'sh', process.execPath, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      try {
        const told = await new Promise<string>((resolve, reject) => {
          let text = '';
          child.stderr.on('data', (data) => {
            text += data;
            if (text.endsWith('\n')) resolve(text);
          });
          setTimeout(() => reject(new Error(`it hangs; it told ${text}`)), 20_000).unref();
        });
        const [dropped, code] = told.trim().split(' ').map(Number);
        assert.equal(code, 0, told);
        assert.ok(dropped! > 10_000 && dropped! < 30_000, told);
      } finally {
        process.kill(-child.pid!, 'SIGKILL');
        child.stdout.destroy();
      }
    });
  }

  it('goes on when the medium is full', {
    skip: process.platform !== 'linux' ? 'needs /dev/full' : false,
  }, () => {
    const { stderr, status } = spawnSync(
      process.execPath,
      program(`import { openSync } from 'node:fs';
        const log = createLogger({ level: 'info', fd: openSync('/dev/full', 'w') });
        for (let i = 0; i < 10; i++) log.logger.info('x');
        await log.flush(1000);
        log.logger.info('y');
        process.stderr.write(String(log.dropped()));`),
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '10');
  });
});
