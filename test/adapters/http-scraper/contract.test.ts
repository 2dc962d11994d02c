import { scraperContract } from '../../contracts/scraper.ts';
import { httpScraper } from './kit.ts';

scraperContract('http', { open: httpScraper });
