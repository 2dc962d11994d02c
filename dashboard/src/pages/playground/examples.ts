import { t } from '@lingui/core/macro';
import type { TaskName } from './tasks/tasks.ts';

export type ExampleName = 'schema' | 'wall' | 'scroll' | 'pdf';

interface Example {
  readonly label: string;
  readonly about: string;
  /** The task whose fields are shown; null: all options are. */
  readonly task: TaskName | null;
  readonly needsBrowser: boolean;
  readonly request: object;
}

/** Requests for test hosts, which this service serves itself: they work offline and cost nothing. */
export const EXAMPLES: Readonly<Record<ExampleName, Example>> = {
  schema: {
    label: t`A product by a schema`,
    about: t`Name, price and stock of a shop page, each with its place in the page.`,
    task: 'schema',
    needsBrowser: false,
    request: {
      url: 'https://shop.sluice.test/shop/SL-001',
      scraper_options: {
        json: {
          schema: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              price: { type: 'number' },
              rating: { type: 'number' },
              availability: { type: 'string' },
            },
          },
        },
      },
    },
  },
  wall: {
    label: t`A blocked page, by auto`,
    about: t`The wall lets only browsers pass: see which ways are tried, and why.`,
    task: null,
    needsBrowser: true,
    request: { url: 'https://news.sluice.test/block?by=cloudflare&passes=browser', scraper: 'auto' },
  },
  scroll: {
    label: t`Infinite scroll, by a browser`,
    about: t`A list that goes on whenever its end is in sight, to its end.`,
    task: 'actions',
    needsBrowser: true,
    request: {
      url: 'https://feed.sluice.test/scroll',
      page_actions: [{ type: 'infinite_scroll', max_scrolls: 10 }],
      scraper_options: { formats: ['markdown'] },
    },
  },
  pdf: {
    label: t`A PDF as Markdown`,
    about: t`Documents are read like pages.`,
    task: 'markdown',
    needsBrowser: false,
    request: {
      url: 'https://invoices.sluice.test/pdf',
      scraper_options: { formats: ['markdown'], only_main_content: true },
    },
  },
};

export const EXAMPLE_NAMES = Object.keys(EXAMPLES) as readonly ExampleName[];
