import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { atEndOfFile } from '../helpers/world.ts';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A dialog gets its name a moment after it appears. All tries together are shorter than a notice stays. */
const TRIES = 3;
const BETWEEN_TRIES_MS = 500;

/** The states of pages that the running file has checked. */
const checked = new Set<string>();

/**
 * Fails if axe finds violations of WCAG 2.2 AA on the page that do not go away, with the rules and the elements. A check takes more
 * processor time than opening the page. So a file checks each page once in each colour scheme, and once with each dialog, menu and notice
 * that is open; with LONG=1 always.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const state = await stateOf(page);
  if (checked.has(state) && process.env.LONG !== '1') return;
  if (checked.size === 0) atEndOfFile(() => checked.clear());
  checked.add(state);
  let found = await violations(page);
  for (let tries = 1; found.length > 0 && tries < TRIES; tries++) {
    await pause(BETWEEN_TRIES_MS);
    found = await violations(page);
  }
  assert.deepEqual(found, [], page.url());
}

/** The address without ids, the colours, and what is open over the page. */
function stateOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const open = Array.from(
      document.querySelectorAll('[role=dialog], [role=menu], [role=listbox], [role=alert]'),
      (one) => `${one.getAttribute('role')} ${one.querySelector('h1, h2, h3')?.textContent ?? ''}`,
    );
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const path = location.pathname.replaceAll(/[\w-]{16,}|\d+/g, 'id');
    return JSON.stringify([path, isDark, open]);
  });
}

/** The violations that the page has now. */
async function violations(page: Page): Promise<readonly string[]> {
  // During a fade, contrasts are different. Endless animations are not waited for.
  await page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  return page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    // Elements that float over the page need no landmark; axe knows this of dialogs only.
    const floating = '[role=dialog], [role=menu], [role=listbox], [role=tooltip], [role=alert]';
    axe.configure({ checks: [{ id: 'region', options: { regionMatcher: floating } }] });
    // Without selectors and passed rules, which are not used and would take most of the time.
    const { violations } = await axe.run(document, {
      runOnly: tags,
      resultTypes: ['violations'],
      selectors: false,
    });
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n    ${failureSummary}`).join('\n')}`,
    );
  }, TAGS);
}
