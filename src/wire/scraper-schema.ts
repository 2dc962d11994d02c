import { Type } from 'typebox';
import { SCRAPER_NAMES, VENDOR_NAME, type VendorScraper } from '../domain/scrapers.ts';

/** `vendor:<name>`. */
export const VendorScraperSchema = Type.Unsafe<VendorScraper>({
  type: 'string',
  pattern: VENDOR_NAME.source.replace('^', '^vendor:'),
  description: 'A vendor of the file of vendors, by name.',
});

/** A scraper of this program, or of a vendor. */
export const ScraperSchema = Type.Union([Type.Enum([...SCRAPER_NAMES]), VendorScraperSchema]);
