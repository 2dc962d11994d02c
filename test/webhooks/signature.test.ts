import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newSecret, signatureHeaders } from '../../src/webhooks/signature.ts';

const BODY = '{"type":"job.done","data":{"name":"Grüße"}}';
const bytes = Buffer.from(BODY);
const signed = (secrets: readonly string[], at = Date.now()) =>
  Object.fromEntries(signatureHeaders('msg_1', at, bytes, secrets));

test('the official verifier of Standard Webhooks accepts the signature', () => {
  const secret = newSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(new Webhook(secret).verify(BODY, signed([secret])), JSON.parse(BODY));
});

test('while secrets are rotated, either verifies', () => {
  const [secret, previous] = [newSecret(), newSecret()];
  const headers = signed([secret, previous]);
  for (const known of [secret, previous]) new Webhook(known).verify(BODY, headers);
  assert.throws(() => new Webhook(newSecret()).verify(BODY, headers));
});

test('another body, another id or an old time is refused', () => {
  const secret = newSecret();
  const webhook = new Webhook(secret);
  const headers = signed([secret]);
  assert.throws(() => webhook.verify(`${BODY} `, headers));
  assert.throws(() => webhook.verify(BODY, { ...headers, 'webhook-id': 'msg_2' }));
  assert.throws(() => webhook.verify(BODY, signed([secret], Date.now() - 3_600_000)));
});
