import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { MadeSite } from '../../helpers/made-site.ts';
import { useService } from '../../helpers/service.ts';
import { type McpClient, newOverHttp, oldOverHttp } from './mcp-clients.ts';
import { startMcpSite } from './mcp-site.ts';

describe('screenshots', () => {
  const service = useService();
  let site: MadeSite;
  before(async () => {
    site = await startMcpSite();
  });
  after(() => site[Symbol.asyncDispose]());

  const pictureOf = async (client: McpClient, args: Record<string, unknown>) => {
    const { facts, content } = await client.call('screenshot', { url: `${site.url}/article`, ...args });
    assert.equal(facts.outcome, 'ok', JSON.stringify(facts));
    const image = content.find(({ type }) => type === 'image')!;
    return { type: image.mimeType, bytes: Buffer.from(image.data!, 'base64') };
  };

  test('are image content, for both clients', async () => {
    await using recent = await newOverHttp(service);
    const png = await pictureOf(recent, {});
    assert.equal(png.type, 'image/png');
    assert.equal(png.bytes.readUInt32BE(16), 1280);
    await using old = await oldOverHttp(service);
    const jpeg = await pictureOf(old, { type: 'jpeg', full_page: true });
    assert.equal(jpeg.type, 'image/jpeg');
    assert.equal(jpeg.bytes.readUInt16BE(0), 0xffd8);
  });

  test('a wall, and a part that is not there, are errors without a picture', async () => {
    await using client = await newOverHttp(service);
    for (const [args, code] of [
      [{ url: `${site.url}/wall`, request: { router: { max_attempts: 1 } } }, 'target.blocked'],
      [{ url: `${site.url}/article`, selector: '#missing', timeout_ms: 15_000 }, 'screenshot.failed'],
    ] as const) {
      const answer = await client.call('screenshot', args);
      assert.equal(answer.isError, true);
      assert.equal(answer.facts.error!.code, code);
      assert.equal(typeof answer.facts.scrape_id, 'string');
      assert.ok(!answer.content.some(({ type }) => type === 'image'));
    }
  });
});
