import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { chromiums } from '../../adapters/browser/stage.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { hostileTexts } from '../../dashboard/hostile.ts';
import { type HostileTarget, startHostileTarget } from '../../dashboard/hostile-target.ts';
import {
  launchChromium,
  NARROW,
  newPage,
  type PageOptions,
  useDashboard,
} from '../../dashboard/use-dashboard.ts';

const LONG = process.env.LONG === '1';
/** Each text is in a scrape together with others. Every eighth (LONG=1: each) also has a scrape of its own. */
const ALONE_STEP = LONG ? 1 : 8;
/** Many texts of the public lists are similar: every third is used (LONG=1: each). */
const LIST_STEP = LONG ? 1 : 3;
/** Scrapes that run at the same time. */
const CONCURRENCY = 4;
/** Texts in one page of the target and in one request. A scrape can have this many tags. */
const TEXTS_PER_SCRAPE = 10;
/** Texts in the result of one page action. */
const TEXTS_PER_RESULT = 80;
/** Texts in one error. */
const TEXTS_PER_ERROR = 100;

/** A page with an empty icon. Without it, the browser of the scrape would request /favicon.ico, which counts as a stray request. */
const NO_ICON = '<link rel="icon" href="data:,"><p>a page</p>';
const noBrowser = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** Our own payloads: all ways in which HTML can run scripts or load something. @param canary URL that must not be requested */
const ownPayloads = (canary: string): string[] => [
  `<script src="${canary}/script.js"></script>`,
  `<script>parent.__ran?.push('inline'); top.location = '${canary}/top'; fetch('${canary}/fetch')</script>`,
  `<img src="${canary}/img" onerror="alert(1)"><svg onload="alert(2)"><video src="${canary}/v" autoplay>`,
  `<link rel="stylesheet" href="${canary}/css"><style>@import '${canary}/import'; * { background: url(${canary}/bg) }</style>`,
  `<link rel="preload" as="script" href="${canary}/preload"><link rel="prefetch" href="${canary}/prefetch"><link rel="dns-prefetch" href="${canary}">`,
  `<meta http-equiv="refresh" content="0; url=${canary}/refresh">`,
  `<iframe src="${canary}/frame"></iframe><iframe srcdoc="<script>alert(3)</script>"></iframe><object data="${canary}/object"></object><embed src="${canary}/embed">`,
  `<form action="${canary}/form" id="f"><input autofocus onfocus="f.submit()"></form><base href="${canary}/base/"><img src="x">`,
  `<a href="${canary}/link" target="_top" style="position: fixed; inset: 0">all</a>`,
  `</pre></code></section></iframe><style>body { display: none !important }</style><script>alert(4)</script>`,
  '\u202e\u2066 turned around \u0000\ufeff\ud83d\ude00 ﷽ Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
];

describe('HTML and scripts from targets never run in the dashboard', { skip: hostileTexts.skip }, () => {
  const dashboard = useDashboard();
  let browser: Browser;
  let target: HostileTarget;
  let complaints: string[] = [];
  /** The ids of scrapes with one text each, with ten texts each, and of those whose errors quote the texts. */
  const single: string[] = [];
  const joined: string[] = [];
  const failed: string[] = [];
  let texts: readonly string[] = [];

  before(async () => {
    browser = await launchChromium();
    target = await startHostileTarget();
    const ours = ownPayloads(`${target.url}/canary`);
    const others = naughty();
    assert.ok(others.length > 600, `${others.length} texts`);
    texts = [...ours, ...others.filter((_, at) => at % LIST_STEP === 0)];
    const alone = texts.filter((_, at) => at < ours.length || at % ALONE_STEP === 0);
    single.push(...(await all(alone.map((text) => [text]))));
    const tens = Array.from(
      { length: Math.ceil(texts.length / TEXTS_PER_SCRAPE) },
      (_, ten) => ten * TEXTS_PER_SCRAPE,
    );
    joined.push(...(await all(tens.map((at) => texts.slice(at, at + TEXTS_PER_SCRAPE)))));
    for (let at = 0; at < texts.length; at += TEXTS_PER_ERROR) {
      const some = texts.slice(at, at + TEXTS_PER_ERROR).map((text) => text.slice(0, 80));
      failed.push(await scraped([], `javascript:${some.join(' ')}`));
    }
  });
  after(async () => {
    await browser?.close();
    await target?.[Symbol.asyncDispose]();
  });

  /** Runs these scrapes. @returns their ids, in order */
  async function all(each: readonly (readonly string[])[]): Promise<string[]> {
    const ids: string[] = [];
    let next = 0;
    const runner = async () => {
      for (let at = next++; at < each.length; at = next++) ids[at] = await scraped(each[at]!);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, runner));
    return ids;
  }

  /** Scrapes with the texts in URL, headers, tags, response headers, cookies and content. @returns the id of the record */
  async function scraped(some: readonly string[], location?: string): Promise<string> {
    const html = `<title>${some[0]}</title>${some.join('\n')}`;
    // The error of an invalid redirect quotes its target.
    const page = { html, texts: some, ...(location === undefined ? {} : { location }) };
    const tags = some.map((text, at) => [`t${at}`, [...text].slice(0, 30).join('') || '-']);
    const { body, text } = await dashboard.service.scrape({
      url: target.add(page),
      scraper: 'http',
      query: some.map((one) => ['q', one.slice(0, 500)]),
      headers: Object.fromEntries(
        some.map((one, at) => [`x-sent-${at}`, one.replace(/[^ -~]/g, ' ').trim()]),
      ),
      router: { tags: Object.fromEntries(tags), accept: { contains: `${some[0]} is not in it` } },
    });
    assert.ok(typeof body.id === 'string', text.slice(0, 1000));
    return body.id;
  }

  /** A page of the dashboard that records scripts that run, requests to other hosts, and violations of the Content Security Policy. */
  async function watched(options: PageOptions = {}, withFrames = false): Promise<Page> {
    complaints = [];
    const page = await newPage(browser, dashboard.service.base, options, (text) => {
      // The console reports what the sandbox of a frame has blocked, which is expected. Violations of our own policy are
      // also reported as events, which always count.
      if (!withFrames || !text.startsWith('console:')) complaints.push(text);
    });
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => complaints.push(`popup: ${popup.url()}`));
    page.on('download', (download) => complaints.push(`download: ${download.url()}`));
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.defineProperty(globalThis, '__ran', { value: seen });
      for (const name of ['alert', 'confirm', 'prompt', 'print'] as const) {
        Object.defineProperty(globalThis, name, { value: (text: unknown) => seen.push(`${name}: ${text}`) });
      }
      document.addEventListener('securitypolicyviolation', (event) => {
        seen.push(`policy: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    return page;
  }

  async function expectNothing(page: Page, where: string): Promise<void> {
    const ran = await page.evaluate(() => [...(globalThis as unknown as { __ran: string[] }).__ran]);
    assert.deepEqual([...ran, ...complaints, ...target.strayRequests], [], where);
    assert.equal(new URL(page.url()).origin, dashboard.service.base, where);
    await expectToFit(page);
  }

  for (const size of [undefined, NARROW]) {
    test(`in the history, ${size === undefined ? 'wide' : 'narrow'}`, async () => {
      const page = await watched(size === undefined ? {} : { size });
      await page.goto('/history?live=off');
      const links = page.locator('main a[href^="/history/"]:visible');
      const total = single.length + joined.length + failed.length;
      const shown = new Set<string | null>();
      await links.first().waitFor();
      // Only rows in view are in the document.
      for (let since = performance.now(); shown.size < total && performance.now() - since < 20_000; ) {
        const before = shown.size;
        for (const href of await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
          shown.add(href);
        await expectNothing(page, `${page.url()}, ${shown.size} rows`);
        if (shown.size > before) since = performance.now();
        await page.evaluate(() => scrollBy(0, innerHeight / 2));
        // Until the rows are there that are in view now: none may be scrolled past.
        await page.waitForFunction(() => {
          const rows = [...document.querySelectorAll<HTMLElement>('[data-index]')];
          const root = document.documentElement;
          const isAtEnd = scrollY + innerHeight >= root.scrollHeight - 1;
          const first = rows[0]!;
          const isFromTop = first.dataset.index === '0' || first.getBoundingClientRect().top <= 0;
          return isFromTop && (isAtEnd || rows.at(-1)!.getBoundingClientRect().bottom >= innerHeight);
        });
        await page.waitForTimeout(100);
      }
      assert.equal(shown.size, total);
      await page.context().close();
    });
  }

  test('in the detail: URL, headers, cookies, tags, errors, request, source', async () => {
    const page = await watched();
    for (const [at, id] of [...failed, ...joined].entries()) {
      await page.setViewportSize(at % 2 === 0 ? NARROW : { width: 1280, height: 800 });
      // Most records are opened without reloading the dashboard: through an empty page, so that no record is checked twice.
      if (at % 10 < 2) await page.goto(`/history/${id}`);
      else {
        await page.evaluate(() => history.pushState({}, '', '/nowhere'));
        await page.getByRole('heading', { name: 'Page not found' }).waitFor();
        await page.evaluate((to) => history.pushState({}, '', to), `/history/${id}`);
      }
      await page.getByRole('region', { name: 'Facts' }).waitFor();
      await page.getByRole('tab', { name: /^Sent/ }).click();
      if (at < failed.length) await page.getByText('redirect.invalid').first().waitFor();
      else await page.getByRole('region', { name: 'Source' }).waitFor();
      await expectNothing(page, id);
      const foreign = await page
        .locator('main :is(img, iframe, object, embed, script, style, form, base, meta, link, video)')
        .count();
      assert.equal(foreign, 0, id);
    }
    await page.context().close();
  });

  test('in the results of a browser: values, names, captured bodies', { skip: noBrowser }, async () => {
    const page = await watched();
    for (let at = 0; at < texts.length; at += TEXTS_PER_RESULT) {
      const some = texts.slice(at, at + TEXTS_PER_RESULT);
      const id = await browsed(some);
      await page.setViewportSize((at / TEXTS_PER_RESULT) % 2 === 0 ? NARROW : { width: 1280, height: 800 });
      await page.goto(`/history/${id}`);
      const actions = page.getByRole('region', { name: 'Actions', exact: true });
      await actions.getByRole('img').waitFor();
      // Opens every branch of the tree, and every shortened text.
      for (let closed = 1; closed > 0; ) {
        const summaries = actions.locator('details:not([open]) > summary');
        // All that are there at once, not by the mouse one after the other: what they show may have more of them.
        closed = await summaries.evaluateAll((all) => all.map((one) => (one as HTMLElement).click()).length);
        // What an open one shows is rendered later.
        await expect(actions.locator('details[open] > ul:empty')).toHaveCount(0);
      }
      const network = page.getByRole('region', { name: 'Network', exact: true });
      const requests = network.getByRole('button', { name: /^GET / });
      await expect(requests).toHaveCount(2);
      for (const row of await requests.all()) await row.click();
      await expect(network.getByRole('region', { name: /^the body of request/ })).toHaveCount(2);
      await expectNothing(page, id);
      const foreign = await page
        .locator('main :is(iframe, object, embed, script, style, form, base, meta, link, video)')
        .count();
      assert.equal(foreign, 0, id);
      const images = await page
        .locator('main img')
        .evaluateAll((all) => all.map((one) => one.getAttribute('src')));
      assert.deepEqual(images, [`/api/v1/scrape/${id}/screenshot/1`]);
    }
    await page.context().close();
  });

  /** Scrapes with the texts in results and names of page actions, and in captured bodies. */
  async function browsed(some: readonly string[]): Promise<string> {
    const page = { html: some.join('\n'), texts: [] };
    const loaded = [target.add(page), target.add({ ...page, texts: some.slice(0, TEXTS_PER_SCRAPE) })];
    // Looks like the result of the action `screenshot`, but comes from the page.
    const picture = {
      name: some[0],
      url: `${target.url}/canary/picture`,
      width: 10,
      height: 10,
      type: 'image/png',
    };
    const result = { list: some, members: Object.fromEntries(some.map((one) => [one, one])), picture };
    const short = [...some[0]!.replace(/[\u0000-\u001f\u007f]/g, ' ')].slice(0, 30).join('').trim() || '-';
    const { body, text } = await dashboard.service.scrape({
      url: target.add({ html: NO_ICON, texts: [] }),
      timeout_ms: 60_000,
      page_actions: [
        { type: 'evaluate', script: 'arg', arg: result, id: short },
        { type: 'evaluate', script: 'arg', arg: picture },
        { type: 'screenshot', name: short },
        {
          type: 'evaluate',
          script:
            'Promise.all(arg.map((one) => fetch(one).then((answer) => answer.text()))).then(() => null)',
          arg: loaded,
        },
        { type: 'click', selector: `text=${some[0]!.slice(0, 100)}`, timeout_ms: 50, on_error: 'continue' },
      ],
      scraper_options: { capture: [{ url: `${target.url}/page/**`, resource_type: 'fetch', body: true }] },
    });
    assert.ok(typeof body.id === 'string', text.slice(0, 1000));
    return body.id;
  }

  test('in the rendered view', async () => {
    const page = await watched({}, true);
    await page.goto(`/history/${single[0]}`);
    await page.getByRole('tab', { name: 'Rendered' }).click();
    const frame = page.locator('iframe');
    await page.frameLocator('iframe').locator('html').waitFor();
    await expect(frame).toHaveAttribute('sandbox', '');
    // One frame for all others: reloading the page for each would take minutes.
    for (const [at, id] of [...single, ...joined].entries()) {
      const loaded = page.waitForEvent('framenavigated');
      await frame.evaluate(
        (element, src) => element.setAttribute('src', src),
        `/api/v1/scrape/${id}/content/?view=1`,
      );
      await loaded;
      await page.frameLocator('iframe').locator('html').waitFor({ state: 'attached' });
      if (at < 20) await page.waitForTimeout(200);
      if (at % 25 === 0 || at < 20) await expectNothing(page, `${at}: ${id}`);
    }
    await page.waitForTimeout(1_000);
    await expectNothing(page, 'after all of them');
    await page.context().close();
  });
});

/** The texts of the public lists, each once. */
function naughty(): string[] {
  const strings = JSON.parse(
    readFileSync(join(process.env.CONFORMANCE_DATA!, 'naughty/blns.json'), 'utf8'),
  ) as string[];
  return [...new Set([...hostileTexts.list(() => true), ...strings])].filter((text) => text.trim() !== '');
}
