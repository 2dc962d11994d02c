import type { DialectName } from '../domain/dialects.ts';
import type { RegisterDialect } from './dialect.ts';
import { registerFirecrawl } from './firecrawl/register.ts';
import { registerScrapingBee } from './scrapingbee/register.ts';
import { registerZyte } from './zyte/register.ts';

export const DIALECTS: Readonly<Record<DialectName, RegisterDialect>> = {
  firecrawl: registerFirecrawl,
  scrapingbee: registerScrapingBee,
  zyte: registerZyte,
};
