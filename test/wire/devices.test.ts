import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devices } from 'playwright-core';
import { DEVICE_NAMES } from '../../src/domain/browser-profiles.ts';
import { problemsOf } from './job-of.ts';

test('the devices are those of Playwright', () => {
  assert.deepEqual(DEVICE_NAMES.toSorted(), Object.keys(devices).toSorted());
});

test('an unknown device is refused with the most similar ones', () => {
  const messageFor = (device: string) => problemsOf({ scraper_options: { device } })[0]!.message;
  assert.match(messageFor('iPhone13'), /most similar are iPhone 13,/);
  assert.match(messageFor('GALAXY S9'), /most similar are Galaxy S9\+/);
  assert.match(messageFor('Pixle 7'), /Pixel 7/);
  assert.match(messageFor('zzzzzzzzzz'), /such as Blackberry PlayBook/);
  assert.ok(messageFor('x'.repeat(500_000)).length < 400);
});
