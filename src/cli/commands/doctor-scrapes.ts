import { createServer, type Server } from 'node:http';
import type { Core } from '../../app.ts';
import type { CommandContext, CommandData } from '../core/command.ts';
import type { AnswerView } from '../core/scrape-answer.ts';
import { type Finding, fail, ok, warn } from './doctor-finding.ts';

const LOOPBACK = '127.0.0.1';
/** A name that has addresses. Nothing is connected to. */
const KNOWN_NAME = 'example.com';
const DNS_MS = 10_000;
const WORDS = 'A page that sluice doctor scrapes.';
/** The script shows that a browser ran it. */
const PAGE = `<!doctype html><title>Doctor</title><p>${WORDS}</p><p id="script"></p><script>document.getElementById('script').textContent = 'scr' + 'ipted'</script>`;

/** DNS, and scrapes of a page of this process, with a data folder of their own and without proxies. */
export async function* checkScrapes(io: CommandContext): AsyncGenerator<Finding> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE),
  );
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  try {
    yield* await io.withCore((core, data) => findingsOf(core, data, server), {
      allowAddresses: [...io.config().allowAddresses, `${LOOPBACK}/32`],
      allowDirect: true,
      proxiesFile: null,
    });
  } catch (error) {
    yield fail('scrapes', (error as Error).message, 'See the log above, and docs/operation.md.');
  } finally {
    await new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
  }
}

async function findingsOf(core: Core, data: CommandData, server: Server): Promise<readonly Finding[]> {
  const url = `http://${LOOPBACK}:${(server.address() as { readonly port: number }).port}/`;
  const findings = [await checkDns(core), await checkScrape(core, data, url, 'http')];
  const problem = await core.browsers.start(true);
  if (problem !== null)
    findings.push(
      warn('browser', problem.message, 'Scrapes that need a browser are refused. See docs/browsers.md.'),
    );
  else findings.push(await checkScrape(core, data, url, 'browser'));
  return findings;
}

async function checkDns(core: Core): Promise<Finding> {
  const signal = AbortSignal.timeout(DNS_MS);
  const failure = await core.egress.checkTarget({ host: KNOWN_NAME, port: 443, signal });
  return failure === null
    ? ok('dns', `${KNOWN_NAME} has an address`)
    : warn('dns', failure.message, 'Check the name servers of the system, or set SLUICE_DNS_SERVERS.');
}

async function checkScrape(
  core: Core,
  data: CommandData,
  url: string,
  scraper: 'http' | 'browser',
): Promise<Finding> {
  const name = scraper === 'http' ? 'scrape' : 'browser';
  const advice = scraper === 'http' ? 'See docs/operation.md.' : 'See docs/browsers.md.';
  try {
    const { scrapeWith } = await import('./scrape-here.ts');
    const { json } = await scrapeWith(core, data, { url, scraper });
    const { content, errors, router } = JSON.parse(json) as AnswerView;
    if (router.outcome !== 'ok' || content?.includes(WORDS) !== true)
      return fail(
        name,
        errors.map(({ code, message }) => `${code}: ${message}`).join('; ') || router.outcome,
        advice,
      );
    if (scraper === 'browser' && !content.includes('>scripted<'))
      return fail(name, 'the browser has not run a script', advice);
    return ok(name, `a local page was scraped with ${scraper} in ${router.timing.total} ms`);
  } catch (error) {
    return fail(name, (error as Error).message, advice);
  }
}
