import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = process.env.CONFORMANCE_DATA;

/** Texts by others that try to be scripts; each once, without control characters, which no field takes. */
export const hostileTexts = {
  /** For tests: why there are none. */
  skip: folder === undefined ? 'CONFORMANCE_DATA is not set' : (false as const),
  list(fits: (text: string) => boolean): string[] {
    const read = (path: string) => readFileSync(join(folder!, path), 'utf8');
    const payloads = JSON.parse(read('xss/dompurify-payloads.json')) as { readonly payload: string }[];
    const lines = ['fuzzdb-xss-rsnake.txt', 'fuzzdb-XSSPolyglot.txt', 'fuzzdb-xss-uri.txt'].flatMap((name) =>
      read(`naughty/${name}`).split('\n'),
    );
    const all = new Set([...payloads.map(({ payload }) => payload), ...lines]);
    return [...all].filter((text) => text !== '' && !/[\u0000-\u001f\u007f]/.test(text) && fits(text));
  },
};

/**
 * Sees to it that a script of somebody else's leaves a trace: dialogs, and elements that call back. Breaches of the
 * Content-Security-Policy fail the test by themselves. @returns reads what ran so far
 */
export async function watchForScripts(page: Page): Promise<() => Promise<string[]>> {
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.defineProperty(globalThis, '__ran', { value: seen });
    for (const name of ['alert', 'confirm', 'prompt', 'print'] as const) {
      Object.defineProperty(globalThis, name, { value: (text: unknown) => seen.push(`${name}: ${text}`) });
    }
  });
  return async () => {
    const [inPage, foreign] = await page.evaluate(() => [
      [...(globalThis as unknown as { __ran: string[] }).__ran],
      [
        ...document.querySelectorAll('body img, body iframe, body object, body script, body svg [onload]'),
      ].map(({ outerHTML }) => outerHTML),
    ]);
    return [...ran, ...inPage!, ...foreign!];
  };
}
