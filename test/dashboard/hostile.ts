import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = process.env.CONFORMANCE_DATA;

/** Payloads of cross-site scripting from public lists. No field accepts control characters, so payloads with them are left out. */
export const hostileTexts = {
  /** The option `skip` for tests: the reason if the lists are not available. */
  skip: folder === undefined ? 'CONFORMANCE_DATA is not set' : (false as const),
  list(accepts: (text: string) => boolean): string[] {
    const read = (path: string) => readFileSync(join(folder!, path), 'utf8');
    const payloads = JSON.parse(read('xss/dompurify-payloads.json')) as { readonly payload: string }[];
    const lines = ['fuzzdb-xss-rsnake.txt', 'fuzzdb-XSSPolyglot.txt', 'fuzzdb-xss-uri.txt'].flatMap((name) =>
      read(`naughty/${name}`).split('\n'),
    );
    const all = new Set([...payloads.map(({ payload }) => payload), ...lines]);
    return [...all].filter((text) => text !== '' && !/[\u0000-\u001f\u007f]/.test(text) && accepts(text));
  },
};

/**
 * Records traces of foreign scripts: calls of `alert` and similar functions, and elements that can load or run something.
 * Violations of the Content-Security-Policy fail the test anyway. @returns a function that returns the traces so far
 */
export async function watchForScripts(page: Page): Promise<() => Promise<string[]>> {
  const traces: string[] = [];
  page.on('dialog', (dialog) => {
    traces.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    const calls: string[] = [];
    Object.defineProperty(globalThis, '__calls', { value: calls });
    for (const name of ['alert', 'confirm', 'prompt', 'print'] as const) {
      Object.defineProperty(globalThis, name, { value: (text: unknown) => calls.push(`${name}: ${text}`) });
    }
  });
  return async () => {
    const [calls, elements] = await page.evaluate(() => [
      [...(globalThis as unknown as { __calls: string[] }).__calls],
      [
        ...document.querySelectorAll('body img, body iframe, body object, body script, body svg [onload]'),
      ].map(({ outerHTML }) => outerHTML),
    ]);
    return [...traces, ...calls!, ...elements!];
  };
}
