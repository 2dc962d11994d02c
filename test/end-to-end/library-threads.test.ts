import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { loadBinding } from '../../src/scrapers/impersonate/native-binding.ts';
import { listen } from '../helpers/free-port.ts';
import { startService } from '../helpers/service.ts';
import { selfSigned } from '../site/certificate.ts';

test('the library of http_impersonate has a thread for every second processor, or as many as the operator says', {
  skip: loadBinding().reason ?? false,
}, async (t) => {
  const target = createServer(selfSigned(), (_, answer) => void answer.end('a page'));
  t.after(() => target.close());
  await listen(target);
  const url = `https://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const threadsWith = async (TOKIO_WORKER_THREADS: string | undefined) => {
    await using service = await startService({ TOKIO_WORKER_THREADS });
    const scraper_options = { verify_tls: false };
    const { body } = await service.scrape({ url, scraper: 'http_impersonate', scraper_options });
    assert.equal(body.content, 'a page');
    const tasks = `/proc/${service.pid}/task`;
    const names = readdirSync(tasks).map((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8'));
    return names.filter((name) => name.startsWith('tokio')).length;
  };
  const due = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
  assert.equal(await threadsWith(undefined), due);
  assert.equal(await threadsWith('3'), 3);
});
