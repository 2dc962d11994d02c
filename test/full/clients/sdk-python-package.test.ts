import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { examplesOf } from '../../helpers/guides.ts';
import { cleanEnvironment, ROOT } from '../../helpers/repository.ts';
import { useService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const PYTHON = '/usr/bin/python3';
const tools = spawnSync(PYTHON, ['-c', 'import ensurepip, httpx, wheel'], { encoding: 'utf8' });
const NO_TOOLS: string | false =
  tools.status === 0
    ? false
    : 'tools are missing (Debian: apt-get install python3-httpx python3-venv python3-wheel)';

const PROGRAM = `
import json
import sys
from sluice_client import Sluice, SluiceError, types

with Sluice(sys.argv[1], sys.argv[2]) as sluice:
    request: types.ScrapeRequest = {"url": sys.argv[3], "scraper": "http"}
    page = sluice.scrape(request)
    job = sluice.batch({"requests": [{"url": sys.argv[3], "scraper": "http"}]})
    states = [item["state"] for item in sluice.jobs.results(job["id"])]
    try:
        sluice.jobs.get("x")
    except SluiceError as error:
        print(json.dumps([page["status_code"], states, error.code]))
`;

describe('the package of the Python SDK', { skip: NO_TOOLS }, () => {
  const site = useSite();
  const service = useService();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sdk-'));
  const python = join(folder, 'venv/bin/python');
  const run = async (command: string, args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runChild(command, args, { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };

  before(async () => {
    // A copy, because the build writes into the folder of the source.
    cpSync(join(ROOT, 'clients/python'), join(folder, 'source'), { recursive: true });
    writeFileSync(join(folder, 'program.py'), PROGRAM);
    await run(PYTHON, ['-m', 'venv', '--system-site-packages', 'venv']);
    const options = ['--no-deps', '--no-build-isolation', '--no-index', '--disable-pip-version-check'];
    await run(python, ['-m', 'pip', 'install', '--quiet', ...options, './source']);
    rmSync(join(folder, 'source'), { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true }));

  test('works once it is installed', async () => {
    const out = await run(python, ['program.py', service.base, service.key, `${site.url}/text`]);
    assert.deepEqual(JSON.parse(out), [200, ['ok'], 'request.not_found']);
  });

  test('does what its README says', async () => {
    const readme = readFileSync(join(ROOT, 'clients/python/README.md'), 'utf8');
    const blocks = examplesOf(readme).filter(({ language }) => language === 'python');
    const code = blocks.map((block) => block.code.replaceAll('https://example.com/', `${site.url}/html`));
    assert.ok(code.length >= 3);
    writeFileSync(join(folder, 'readme.py'), code.join(''));
    const env = { ...cleanEnvironment(), SLUICE_URL: service.base, SLUICE_KEY: service.key };
    const { code: exit, stdout, stderr } = await runChild(python, ['readme.py'], { cwd: folder, env });
    assert.equal(exit, 0, stderr);
    assert.match(stdout, /^200 ok /);
    assert.match(stdout, /^ok http/m);
  });
});
