import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails with each rule of WCAG 2.2 AA that axe finds broken on the page as it is now, and where. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is still fading has other colours than it is going to have.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  const broken = await page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    // What floats over the page belongs to no landmark, and to dialogs alone axe grants that.
    const floating = '[role=dialog], [role=menu], [role=listbox], [role=tooltip], [role=alert]';
    axe.configure({ checks: [{ id: 'region', options: { regionMatcher: floating } }] });
    // Selectors, and what is well, are told nowhere: collecting them takes longer than looking.
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
  assert.deepEqual(broken, [], page.url());
}
