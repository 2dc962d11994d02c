import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { examplesOf } from '../../helpers/guides.ts';
import { cleanEnvironment, ROOT } from '../../helpers/repository.ts';
import { useOwnService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const PROGRAM = `
import { Sluice, type ScrapeResponse, SluiceError, verifyWebhook } from 'sluice-client';
const sluice = new Sluice({ baseUrl: process.argv[2]!, apiKey: process.argv[3]! });
const page: ScrapeResponse = await sluice.scrape({ url: process.argv[4]!, scraper: 'http' });
const { id } = await sluice.batch({ requests: [{ url: process.argv[4]!, scraper: 'http' }] });
const states: string[] = [];
for await (const item of sluice.jobs.results(id)) states.push(item.state);
const code = await sluice.jobs.get('x').catch((error: unknown) => (error as SluiceError).code);
// @ts-expect-error: the types know the members of a request.
const wrong = () => sluice.scrape({ url: 'x', scrapper: 'http' });
console.log(JSON.stringify([page.status_code, states, code, typeof verifyWebhook, typeof wrong]));
`;

describe('the package of the TypeScript SDK', () => {
  const site = useSite();
  const service = useOwnService();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sdk-'));
  let tarball = '';
  const npm = (args: readonly string[], cwd: string): string =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', env: cleanEnvironment() });

  before(() => {
    // npm passes the setting of this repository on to the processes that it starts.
    const pack = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder];
    const name = npm(pack, join(ROOT, 'clients/typescript'));
    tarball = join(folder, name.trim().split('\n').at(-1)!);
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    npm(['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  test('has less than 100 KB, and depends on nothing', () => {
    assert.ok(statSync(tarball).size < 100_000, `${statSync(tarball).size} bytes`);
    const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(folder, 'node_modules/sluice-client/package.json'), 'utf8'),
    );
    assert.deepEqual(
      [dependencies, peerDependencies, optionalDependencies],
      [undefined, undefined, undefined],
    );
  });

  test('compiles with strict types, and works in another folder', async () => {
    await compile('program.ts', PROGRAM);
    const args = ['program.js', service.base, service.key, `${site.url}/text`];
    const { code, stdout, stderr } = await runChild(process.execPath, args, { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), [200, ['ok'], 'request.not_found', 'function', 'function']);
  });

  // The test of the recipes runs them.
  test('the examples of its README compile with strict types', async () => {
    const readme = readFileSync(join(ROOT, 'clients/typescript/README.md'), 'utf8');
    const blocks = examplesOf(readme).filter(({ language }) => language === 'ts');
    assert.ok(blocks.length >= 4);
    // A block without a client of its own goes on with that of the block before.
    const programs: string[] = [];
    for (const { code } of blocks)
      if (programs.length === 0 || code.includes('new Sluice(')) programs.push(code);
      else programs.push(programs.pop() + code);
    for (const [n, code] of programs.entries()) await compile(`readme-${n}.ts`, code);
  });

  /** Compiles a program in the folder in which the package is installed. */
  async function compile(name: string, code: string): Promise<void> {
    writeFileSync(join(folder, name), code);
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const args = [compiler, ...options, ...types, name];
    const { code: exit, stdout } = await runChild(process.execPath, args, { cwd: folder });
    assert.equal(exit, 0, stdout);
  }
});
