import assert from 'node:assert/strict';
import type { Reply } from '../helpers/client.ts';
import type { ServiceApi } from '../helpers/service.ts';
import type { Problem, ScrapeAnswer } from '../helpers/wire-types.ts';

export interface ActionEntry {
  readonly index: number;
  readonly id: string | null;
  readonly type: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly duration_ms: number;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Acted extends Reply<ScrapeAnswer & Partial<Problem>> {
  readonly actions: readonly ActionEntry[];
  readonly content: string;
}

/** Scrapes with these page actions, and returns the response with the entries of `scraper_data.actions`. */
export async function act(
  service: Pick<ServiceApi, 'scrape'>,
  url: string,
  page_actions: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<Acted> {
  const reply = await service.scrape({ url, scraper: 'browser', page_actions, ...more });
  const data = reply.body.scraper_data as { actions?: readonly ActionEntry[] };
  return { ...reply, actions: data?.actions ?? [], content: reply.body.content ?? '' };
}

/** As `act`, and asserts that every action is `ok` and there is no error. */
export async function done(...ask: Parameters<typeof act>): Promise<Acted> {
  const acted = await act(...ask);
  assert.equal(acted.status, 200, JSON.stringify(acted.body).slice(0, 600));
  assert.deepEqual(acted.body.errors, []);
  assert.deepEqual(
    acted.actions.map(({ status }) => status),
    acted.actions.map(() => 'ok'),
  );
  return acted;
}

export const statuses = ({ actions }: Acted): readonly string[] => actions.map(({ status }) => status);

export const results = ({ actions }: Acted): readonly unknown[] => actions.map(({ result }) => result);

/** The text of the element with this id, without child elements. */
export function textIn(content: string, id: string): string {
  const [, text = ''] = new RegExp(`id="?${id}"?[^>]*>([^<]*)<`).exec(content) ?? [];
  return text.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}
