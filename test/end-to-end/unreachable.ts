/** Run in a network namespace with loopback only: scrapes a public address, and prints the response. */
import { startService } from '../helpers/service.ts';

await using service = await startService();
const { status, body } = await service.scrape({ url: 'http://9.9.9.9/', scraper: 'http' });
console.log(JSON.stringify({ status, code: body.code, retryable: body.retryable }));
