import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { afterwards } from '../../adapters/temp.ts';
import { endOf, startBatch } from '../../end-to-end/job-calls.ts';
import { makeFaults } from '../../helpers/faults.ts';
import { listen } from '../../helpers/free-port.ts';
import { eventually, startService } from '../../helpers/service.ts';

const HOUR_S = 3_600;

interface Tried {
  readonly state: string;
  readonly tries: number;
  readonly error: unknown;
}

describe('what nobody takes', () => {
  test('an export to a full disk, and a message to a channel that fails, are given up and shown', async (t) => {
    const faults = makeFaults();
    if (typeof faults === 'string') return t.skip(faults);
    using _ = faults;
    const full = createServer((request, response) => {
      request.resume().on('end', () => void response.writeHead(507).end('No space left on device'));
    });
    await listen(full);
    const url = `http://127.0.0.1:${(full.address() as AddressInfo).port}/`;
    afterwards(t, () => full.close());
    const service = await startService({
      ...faults.env,
      SLUICE_EXPORT_ALLOW: '127.0.0.1',
      SLUICE_WEBHOOK_ALLOW: '127.0.0.1',
    });
    afterwards(t, () => service.end());
    const channel = await service.api<{ id: string }>('POST', '/api/v1/channels/', {
      body: { name: 'Fails', type: 'webhook', url },
    });
    const job = await startBatch(service, {
      requests: [{ url: 'http://127.0.0.1:1/', scraper: 'http' }],
      retries: 0,
      channels: [channel.body.id],
    });
    await endOf(service, job);
    const made = await service.api<{ id: string }>('POST', `/api/v1/jobs/${job}/export/`, {
      body: { format: 'csv', target: { kind: 'put', url } },
    });
    const exported = async () =>
      (await service.api<Tried & { status: number }>('GET', `/api/v1/exports/${made.body.id}/`)).body;
    const message = async () =>
      (await service.api<{ items: readonly Tried[] }>('GET', `/api/v1/webhooks/?source=${job}`)).body
        .items[0]!;
    const channelState = async () =>
      (
        await service.api<{ state: string; last_error: string }>(
          'GET',
          `/api/v1/channels/${channel.body.id}/`,
        )
      ).body;

    // Each pause is shorter than a jump, and a try begins as soon as it is due.
    let ahead = 0;
    const triesOf = async (one: () => Promise<Tried>, wanted: number) => {
      await eventually(async () => {
        const { state, tries } = await one();
        return state === 'failed' || (state !== 'sending' && tries >= wanted);
      });
    };
    for (let tries = 1; tries <= 6; tries++) {
      await triesOf(exported, tries);
      await triesOf(message, tries);
      ahead += 3 * HOUR_S;
      faults.clock(ahead);
    }
    await eventually(async () => (await exported()).state === 'failed');
    const given = await exported();
    assert.partialDeepStrictEqual(given, { state: 'failed', tries: 6, status: 507 });
    assert.match(JSON.stringify(given.error), /507\. It said: No space left on device/);
    const listed = await service.api<{ items: readonly Tried[] }>('GET', `/api/v1/jobs/${job}/exports/`);
    assert.equal(listed.body.items[0]!.state, 'failed');

    for (let tries = 7; tries <= 9; tries++) {
      ahead += 16 * HOUR_S;
      faults.clock(ahead);
      await triesOf(message, tries);
    }
    await eventually(async () => (await message()).state === 'failed');
    assert.partialDeepStrictEqual(await message(), { state: 'failed', tries: 9 });
    const { state, last_error: lastError } = await channelState();
    assert.equal(state, 'failing');
    assert.match(lastError, /507/);
    const { body } = await service.api<{ items: { type: string; text: string }[] }>(
      'GET',
      '/api/v1/notifications/',
    );
    const types = body.items.map(({ type }) => type);
    assert.ok(types.includes('channel.failing') && types.includes('job.failed'), types.join());
  });
});
