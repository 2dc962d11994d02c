import { scraperContract } from '../../contracts/scraper.ts';
import { httpScraper } from './kit.ts';

for (const over of ['http', 'https/1.1', 'https/2'] as const) {
  scraperContract('http', { open: httpScraper, over });
}
