/** Runs where there is no route but to loopback: scrapes a public address, and prints what was answered. */
import { startService } from '../helpers/service.ts';

await using service = await startService();
const { status, body } = await service.scrape({ url: 'http://9.9.9.9/', scraper: 'http' });
console.log(JSON.stringify({ status, code: body.code, retryable: body.retryable }));
