import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setupI18n } from '@lingui/core';
import { formatter } from '@lingui/format-po';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Page } from 'playwright-core';
import { TRANSLATIONS } from '../../../dashboard/src/i18n/languages.ts';
import { expect } from '../../dashboard/expect.ts';
import { settled, useDashboard } from '../../dashboard/use-dashboard.ts';
import { ROOT } from '../../helpers/repository.ts';
import { useSite } from '../../helpers/use-site.ts';

const LONG = process.env.LONG === '1';
const offered = TRANSLATIONS.filter(({ complete }) => complete);
/** Two that are written differently; with LONG=1 all. `npm run check` says of each whether a text has no translation. */
const visited = offered.filter((_, n) => LONG || n === 0 || n === offered.length - 1);

/** The pages that are searched for English texts, and the parts of them that have texts of the API. */
const PAGES: readonly (readonly [path: string, ofApi?: string])[] = [
  ['/'],
  ['/history'],
  ['/usage'],
  ['/sites'],
  ['/keys'],
  ['/playground', '[role=tabpanel]'],
  ['/account'],
];

interface Catalog {
  /** Translates an English text of the sources. */
  translate(text: string, values?: Record<string, unknown>): string;
  /** The English texts without placeholders that are no text of this language. */
  readonly texts: readonly string[];
  /** Some words of the other English texts that their translations do not contain. */
  readonly phrases: readonly string[];
}

async function catalogOf(code: string): Promise<Catalog> {
  const content = readFileSync(join(ROOT, `dashboard/src/locales/${code}.po`), 'utf8');
  const details = { locale: code, sourceLocale: 'en', filename: code };
  const entries = Object.entries(await formatter().parse(content, details));
  const messages = Object.fromEntries(
    entries.map(([id, { translation = '' }]) => [id, compileMessage(translation)]),
  );
  const ids = new Map(entries.map(([id, { message = id }]) => [message, id]));
  const i18n = setupI18n({ locale: code, messages: { [code]: messages } });
  const pairs = entries.map(([id, { message = id, translation = '' }]) => ({ message, translation }));
  const isPlain = (text: string) => !/[{<]/.test(text);
  return {
    translate: (text, values) => {
      assert.ok(ids.has(text), `no text of the dashboard: ${text}`);
      return i18n._(ids.get(text)!, values);
    },
    texts: pairs
      .map(({ message }) => message)
      // Some are also German: the translation of “Profiles” is “Profile”.
      .filter((text) => isPlain(text) && pairs.every(({ translation }) => translation !== text)),
    phrases: pairs
      .filter(({ message }) => !isPlain(message) && !message.includes(', plural,'))
      .flatMap(({ message, translation }) =>
        message
          .split(/\{\w+\}|<\/?\d+\/?>/)
          .map((phrase) => phrase.trim())
          .filter((phrase) => /\p{L}{2,} \p{L}{2,}/u.test(phrase) && !translation.includes(phrase)),
      ),
  };
}

/** The English texts and labels on a page that have a translation. @param ofApi a selector of parts that are left out */
const englishTexts = (page: Page, { texts, phrases }: Catalog, ofApi = 'nothing'): Promise<string[]> =>
  page.evaluate(
    ([texts, phrases, left]) => {
      const known = new Set(texts);
      return [...document.querySelectorAll('body, body *')]
        .filter((element) => element.closest(`${left}, code, pre, script, style`) === null)
        .flatMap((element) => [
          ...[...element.childNodes].flatMap((node) => (node instanceof Text ? [node.data] : [])),
          ...['aria-label', 'title', 'alt', 'placeholder'].flatMap(
            (name) => element.getAttribute(name) ?? [],
          ),
        ])
        .map((text) => text.trim())
        .filter((text) => known.has(text) || phrases.some((phrase) => text.includes(phrase)));
    },
    [texts, phrases, ofApi] as const,
  );

const expectLanguage = (page: Page, code: string) =>
  expect(page.locator('html')).toHaveAttribute('lang', code);

describe('languages', () => {
  const dashboard = useDashboard();
  const site = useSite();

  before(async () => {
    const { service } = dashboard;
    await service.scrape({ url: `${site.url}/html/2000`, scraper: 'http' });
    await service.scrape({ url: `${site.url}/status/404`, scraper: 'http' });
    for (const amount of [1, 500]) {
      const body = { name: `K${amount}`, daily_budget: { unit: 'scrapes', amount } };
      assert.equal((await service.api('POST', '/api/v1/keys/', { body })).status, 201);
    }
  });

  for (const [place, { code, name }] of visited.entries())
    test(`${name}: chosen in the account menu, used on the pages, and kept`, async () => {
      const catalog = await catalogOf(code);
      const page = await dashboard.open('/account');
      await expectLanguage(page, 'en');
      await page.getByRole('button', { name: /^Account of/ }).click();
      const choices = page.getByRole('menuitemradio').and(page.locator('[lang]'));
      await expect(choices).toHaveText(['English', ...offered.map(({ name }) => name)]);
      await page.getByRole('menuitemradio', { name }).click();
      await page.locator(`html[lang=${code}]`).waitFor();
      await page.getByRole('heading', { level: 1, name: catalog.translate('Account') }).waitFor();

      // A text that is not translated is so in every language. So a page is searched in one, by turns, and in all with LONG=1.
      const inTurn = (n: number) => LONG || (n + place) % visited.length === 0;
      for (const [path, ofApi] of PAGES.filter((_, n) => inTurn(n))) {
        await page.goto(path);
        await settled(page);
        await expectLanguage(page, code);
        await expect.poll(() => englishTexts(page, catalog, ofApi), path).toEqual([]);
      }

      await page.goto('/keys');
      for (const amount of [1, 500]) {
        const plural = '{amount, plural, one {# scrape} other {# scrapes}}';
        const budget = catalog.translate('{0} a day', { 0: catalog.translate(plural, { amount }) });
        await page
          .getByRole('row')
          .filter({ hasText: `K${amount}` })
          .getByTitle(budget)
          .waitFor();
      }
      await page.goto('/account');
      const created = page.getByRole('definition').getByRole('time').first();
      const wanted = await created.evaluate(
        (time: HTMLTimeElement, code) =>
          new Intl.DateTimeFormat(code, { day: 'numeric', month: 'short', year: 'numeric' }).format(
            new Date(time.dateTime),
          ),
        code,
      );
      await expect(created).toHaveText(wanted);

      const context = await page
        .context()
        .browser()!
        .newContext({
          baseURL: dashboard.service.base,
          storageState: await page.context().storageState(),
          locale: 'en-GB',
        });
      const later = await context.newPage();
      await later.goto('/history');
      await later.getByRole('heading', { level: 1, name: catalog.translate('History') }).waitFor();
      await expectLanguage(later, code);
    });

  test('a first visit: the first language of the browser that is offered, or else English', async () => {
    for (const { code, complete } of TRANSLATIONS) {
      const page = await dashboard.open('/sign-in', { as: null, locale: `${code}-ZZ` });
      await expectLanguage(page, complete ? code : 'en');
    }
    for (const languages of [
      ['pt-BR', ...TRANSLATIONS.map(({ code }) => `${code}-ZZ`)],
      ['en-US', ...TRANSLATIONS.map(({ code }) => code)],
      ['pt', 'tlh'],
    ]) {
      const page = await dashboard.page({ as: null });
      await page.addInitScript((languages) => {
        Object.defineProperty(navigator, 'languages', { value: languages });
      }, languages);
      await page.goto('/sign-in');
      await settled(page);
      await expectLanguage(page, languages[0] === 'pt-BR' ? (offered[0]?.code ?? 'en') : 'en');
    }
  });

  test('only complete translations are offered', async () => {
    const page = await dashboard.open('/');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
    await expect(page.getByRole('menuitemradio').and(page.locator('[lang]'))).toHaveCount(
      offered.length === 0 ? 0 : offered.length + 1,
    );
  });
});
