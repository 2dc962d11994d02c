import type { ScraperName } from './job.ts';
import type { Micro } from './micro.ts';

/** What going out through an exit costs. */
export interface ExitPrice {
  readonly perRequest: Micro;
  /** For 10⁹ bytes, both ways together. */
  readonly perGb: Micro;
}

export interface Prices {
  /** `cost_unit` of answers. */
  readonly currency: string;
  /** One attempt; a scraper that does not stand here has no price. */
  readonly scrapers: Readonly<Partial<Record<ScraperName, Micro>>>;
  /** The own connection of this host. */
  readonly direct: ExitPrice;
}

/** `cost_unit` while nothing is priced. */
export const EFFORT = 'effort';
