import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { ROOT } from '../../helpers/repository.ts';

const PYTHON = '/usr/bin/python3';
const tools = spawnSync(PYTHON, ['-c', 'import httpx, mypy'], { encoding: 'utf8' });
const NO_TOOLS: string | false =
  tools.status === 0 ? false : 'tools are missing (Debian: apt-get install mypy python3-httpx)';

const PROGRAM = `
from sluice_client import Sluice, types

request: types.ScrapeRequest = {"url": "https://example.com/", "scraper": "http"}
page = Sluice("http://127.0.0.1", "a-key").scrape(request)
status: "int | None" = page["status_code"]
`;

test('the Python SDK has types: a correct program passes, a wrong member is found', {
  skip: NO_TOOLS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sdk-'));
  try {
    writeFileSync(join(folder, 'right.py'), PROGRAM);
    writeFileSync(join(folder, 'wrong.py'), PROGRAM.replace('"scraper":', '"scrapper":'));
    const source = join(ROOT, 'clients/python/src');
    const args = ['-m', 'mypy', '--strict', '--cache-dir', 'mypy', 'right.py', 'wrong.py'];
    const { code, stdout } = await runChild(PYTHON, [...args, join(source, 'sluice_client')], {
      cwd: folder,
      env: { ...process.env, MYPYPATH: source },
    });
    assert.equal(code, 1);
    assert.match(stdout, /^wrong\.py:\d+: error: Extra key "scrapper".*\nFound 1 error in 1 file/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
