import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

describe('callers that disconnect while a large record is read', () => {
  const site = useSite({ log: false });
  const service = useOwnService({ SLUICE_MEMORY_BYTES: '256MiB' });

  test('leave none of its memory behind', async () => {
    const { body } = await service.scrape({ url: `${site.url}/html/6000000` });
    const inUse = async () => {
      const text = await (await fetch(`${service.base}/metrics`)).text();
      return Number(/^sluice_memory_in_use_bytes (\S+)/m.exec(text)?.[1]);
    };
    await eventually(async () => (await inUse()) === 0);
    for (const path of ['content/', 'content/?view=1', '']) {
      for (let n = 0; n < 15; n++) {
        const socket = connect(service.port, '127.0.0.1');
        await once(socket, 'connect');
        socket.on('error', () => {});
        const head = `GET /api/v1/scrape/${body.id}/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${service.key}\r\n\r\n`;
        await new Promise((resolve) => socket.write(head, resolve));
        socket.resetAndDestroy();
        await pause(10);
      }
    }
    assert.ok(await eventually(async () => (await inUse()) === 0, 15_000));
  });
});
