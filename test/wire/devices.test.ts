import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devices } from 'playwright-core';
import { DEVICE_NAMES } from '../../src/domain/browser-profiles.ts';
import { problemsOf } from './asking.ts';

test('the devices are those of Playwright', () => {
  assert.deepEqual(DEVICE_NAMES.toSorted(), Object.keys(devices).toSorted());
});

test('a device that is none is answered with those that are near', () => {
  const words = (device: string) => problemsOf({ scraper_options: { device } })[0]!.message;
  assert.match(words('iPhone13'), /most similar are iPhone 13,/);
  assert.match(words('GALAXY S9'), /most similar are Galaxy S9\+/);
  assert.match(words('Pixle 7'), /Pixel 7/);
  assert.match(words('zzzzzzzzzz'), /such as Blackberry PlayBook/);
  assert.ok(words('x'.repeat(5_000_00)).length < 400);
});
