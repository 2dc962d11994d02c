import { POOLED_TYPES, SCRAPER_NAMES } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';

/** As text, to be kept. */
export const pinText = ({ scraper, proxyType }: Step): string => `${scraper}/${proxyType}`;

/** What `pinText` gave; null: no step of this version. */
export function readPin(text: string): Step | null {
  const [name, type] = text.split('/');
  const scraper = SCRAPER_NAMES.find((one) => one === name);
  const proxyType = POOLED_TYPES.find((one) => one === type);
  return scraper === undefined || proxyType === undefined ? null : { scraper, proxyType };
}
