import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails if axe finds violations of WCAG 2.2 AA on the page, with the rules and the elements. */
export async function expectAccessible(page: Page): Promise<void> {
  // During a fade, contrasts are different. Endless animations are not waited for.
  await page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  const messages = await page.evaluate(async (tags) => {
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
  assert.deepEqual(messages, [], page.url());
}
