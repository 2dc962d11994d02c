import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { COMMANDS } from '../../../src/cli/commands/commands.ts';
import type { CommandError } from '../../../src/cli/core/command.ts';
import { helpOf } from '../../../src/cli/core/help.ts';
import { findCommand, readWords } from '../../../src/cli/core/read-words.ts';
import { runChild } from '../../helpers/child.ts';
import { cleanEnvironment, ROOT, SLUICE } from '../../helpers/repository.ts';

const sluice = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runChild(SLUICE, args, { cwd: ROOT, env: { ...cleanEnvironment(), ...env } });

const read = async (args: readonly string[]) => readWords(findCommand(COMMANDS, args));

describe('the table of commands', () => {
  test('every command is in the list, and every option in its help, with the exit codes', async () => {
    const all = await sluice(['--help']);
    assert.equal(all.code, 0);
    for (const spec of COMMANDS) {
      assert.match(all.stdout, new RegExp(`^sluice ${spec.name}\\b`, 'm'));
      const text = helpOf(spec, [spec.name]);
      for (const one of spec.verbs ?? [spec])
        for (const { name, short } of one.flags ?? []) {
          assert.ok(text.includes(`--${name}`), `${spec.name} --${name}`);
          if (short !== undefined) assert.ok(text.includes(`-${short}, --${name}`), text);
        }
      assert.match(text, /Exit codes: 0: .*; 1: .*; 2: .*; 130/s);
      assert.ok(
        text.split('\n').every((line) => line.length <= 110 || line.includes('#')),
        text,
      );
    }
    const { code, stdout, stderr } = await sluice(['crawl', '--help']);
    const crawl = COMMANDS.find(({ name }) => name === 'crawl')!;
    assert.deepEqual([code, stdout, stderr], [0, `${helpOf(crawl, ['crawl'])}\n`, '']);
  });

  test('sluice help COMMAND and -h are the same as --help', async () => {
    const { stdout } = await sluice(['keys', 'create', '--help']);
    assert.match(stdout, /^sluice keys create \[options\]/);
    assert.equal((await sluice(['help', 'keys', 'create'])).stdout, stdout);
    assert.equal((await sluice(['keys', 'create', '-h'])).stdout, stdout);
    const unknown = await sluice(['help', 'scrap']);
    assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
    assert.match(unknown.stderr, /did you mean "scrape"\?/);
  });

  test('what was most likely meant: commands, options, members of requests, values', async () => {
    for (const [args, why] of [
      [['crwl', 'x'], 'unknown command "crwl"; did you mean "crawl"?'],
      [['jobs', 'pase', 'x'], 'unknown command "jobs pase"; did you mean "jobs pause"?'],
      [['scrape', 'http://x/', '--jsn'], 'unknown option "--jsn"; did you mean "--json"?'],
      [['batch', 'f', '--detatch'], 'unknown option "--detatch"; did you mean "--detach"?'],
      [['scrape', 'http://x/', '--scrper=http'], 'unknown option "--scrper"; did you mean "--scraper"?'],
      [['crawl', 'http://x/', '--max_dept', '3'], 'unknown option "--max_dept"; did you mean "--max_depth"?'],
      [['scrape', 'http://x/', '-f', 'text'], 'unknown option "-f"'],
      [
        ['jobs', 'list', '--state', 'pausd'],
        '--state must be one of queued, running, paused, done, cancelled, failed; got "pausd"; did you mean "paused"?',
      ],
      [['scrape', 'http://x/', '--format'], 'a value for --format is missing'],
      [['scrape', 'http://x/', '--format', '--json'], 'a value for --format is missing'],
      [['scrape', 'http://x/', '--json=1'], '--json takes no value'],
      [['scrape'], 'URL is missing'],
      [['jobs', 'show'], 'JOB_ID is missing'],
      [['jobs', 'show', 'a', 'b'], 'unexpected argument "b"'],
    ] as const)
      await assert.rejects(read(args), ({ message, exitCode }: CommandError) => {
        assert.deepEqual([message.split('\n')[0], exitCode], [why, 2]);
        return true;
      });
    const { code, stdout, stderr } = await sluice(['scrape', 'http://x/', '--scrper=http']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.equal(stderr, 'sluice: unknown option "--scrper"; did you mean "--scraper"?\n');
    const { stderr: ofId, code: idCode } = await sluice(['jobs', 'show', 'a']);
    assert.deepEqual([idCode, ofId], [2, 'sluice: "a" is not the id of a job; see sluice jobs list\n']);
    const shell = await sluice(['completion', 'tcsh']);
    assert.deepEqual(
      [shell.code, shell.stderr],
      [2, 'sluice: completion is for bash, zsh and fish; got "tcsh"\n'],
    );
  });

  test('colours: FORCE_COLOR in a pipe, NO_COLOR, neither', async () => {
    const bold = /\u001b\[1m/;
    const env = { NO_COLOR: undefined, FORCE_COLOR: undefined };
    assert.match((await sluice(['map', '--help'], { ...env, FORCE_COLOR: '1' })).stdout, bold);
    assert.doesNotMatch((await sluice(['map', '--help'], env)).stdout, bold);
  });
});

describe('completion', () => {
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-completion-'));
    writeFileSync(join(folder, 'sluice.bash'), (await sluice(['completion', 'bash'])).stdout);
    writeFileSync(join(folder, 'urls.txt'), '');
  });
  after(() => rmSync(folder, { recursive: true }));

  /** What bash offers for the last word. */
  async function offered(...words: readonly string[]): Promise<readonly string[]> {
    const line = words.map((word) => `'${word}'`).join(' ');
    const program = `. ./sluice.bash; COMP_WORDS=(sluice ${line}); COMP_CWORD=${words.length}; _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { code, stdout, stderr } = await runChild('bash', ['--norc', '-c', program], { cwd: folder });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout.split('\n').filter((word) => word !== '');
  }

  test('bash: commands, verbs, options, members, values and files', async (t) => {
    if (spawnSync('bash', ['--version']).status !== 0) return t.skip('needs bash');
    assert.deepEqual(await offered('cr'), ['crawl']);
    assert.deepEqual([...(await offered(''))].sort(), COMMANDS.map(({ name }) => name).sort());
    assert.deepEqual(await offered('jobs', 'p'), ['pause']);
    assert.deepEqual(await offered('jobs', 'list', '--st'), ['--state']);
    assert.deepEqual(await offered('jobs', 'list', '--state', 'pa'), ['paused']);
    assert.deepEqual(await offered('keys', 'create', '--scope', 'r'), ['read']);
    assert.deepEqual(await offered('scrape', 'http://x/', '--wait_for_s'), ['--wait_for_selector']);
    assert.deepEqual(await offered('scrape', 'http://x/', '--scraper', 'http_'), ['http_impersonate']);
    assert.ok((await offered('batch', 'f', '--router.')).includes('--router.max_attempts'));
    assert.ok((await offered('crawl', 'f', '--request.s')).includes('--request.scraper'));
    assert.deepEqual(await offered('batch', 'ur'), ['urls.txt']);
    assert.deepEqual(await offered('scrape', 'http://x/', '-o', 'ur'), ['urls.txt']);
    assert.deepEqual(await offered('scrape', 'http://x/', '--timeout_ms', ''), []);
  });

  for (const [shell, check] of [
    ['zsh', ['zsh', '-n']],
    ['fish', ['fish', '--no-execute']],
  ] as const)
    test(`${shell}: the script names every command and option, and can be read by ${shell}`, async () => {
      const { code, stdout } = await sluice(['completion', shell]);
      assert.equal(code, 0);
      for (const spec of COMMANDS)
        for (const { name, flags = [] } of [spec, ...(spec.verbs ?? [])]) {
          assert.ok(stdout.includes(name), name);
          for (const flag of flags)
            assert.ok(stdout.includes(shell === 'zsh' ? `--${flag.name}` : `-l '${flag.name}'`), flag.name);
        }
      const file = join(folder, `sluice.${shell}`);
      writeFileSync(file, stdout);
      // Only where that shell is installed.
      if (!existsSync(`/usr/bin/${check[0]}`)) return;
      const checked = await runChild(check[0], [...check.slice(1), file]);
      assert.deepEqual([checked.code, checked.stderr], [0, '']);
    });
});
