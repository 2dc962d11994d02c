/** The APIs of other systems that the service can offer beside its own (`SLUICE_DIALECTS`, contract §17). */
export const DIALECT_NAMES = ['firecrawl', 'scrapingbee', 'zyte'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];
