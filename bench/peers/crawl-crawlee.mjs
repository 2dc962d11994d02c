/**
 * The contender crawlee: its CheerioCrawler, which follows all links and writes each page to its data set on disk.
 * Usage: crawl-crawlee.mjs URL FOLDER CONCURRENCY. Prints "ready", crawls, prints "done PAGES", and ends when stdin is closed.
 */
import { once } from 'node:events';
import { CheerioCrawler, Configuration, Dataset, log } from '@crawlee/cheerio';

const [start, folder, concurrency] = process.argv.slice(2);
log.setLevel(log.LEVELS.OFF);
Configuration.getGlobalConfig().set('storageClientOptions', { localDataDirectory: folder });
const MAX_PAGES = 100_000;
let pages = 0;

const crawler = new CheerioCrawler({
  minConcurrency: Number(concurrency),
  maxConcurrency: Number(concurrency),
  maxRequestsPerCrawl: MAX_PAGES,
  async requestHandler({ request, response, body, enqueueLinks }) {
    pages++;
    const { statusCode: status, headers } = response;
    await Dataset.pushData({ url: request.loadedUrl, status, headers, content: body.toString() });
    await enqueueLinks({ strategy: 'same-hostname' });
  },
});

console.log('ready');
await once(process.stdin, 'data');
await crawler.run([start]);
console.log(`done ${pages}`);
await once(process.stdin, 'data');
process.exit();
