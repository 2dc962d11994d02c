import { styleText } from 'node:util';
import { type Command, CommandError, requireArgument, WRONG_USAGE } from './command.ts';
import { CONNECTION_USAGE, EXIT_CODE_USAGE, withApi } from './connect.ts';
import { readOptions } from './members.ts';
import { openOutput } from './output.ts';

/** The answer of the API, as far as the command reads it. */
interface MapView {
  readonly items: readonly { readonly url: string }[];
  readonly page: PartOfMap | null;
  readonly sitemaps: readonly (PartOfMap & { readonly urls: number })[];
  readonly dropped: Readonly<Record<string, number>>;
  readonly truncated: boolean;
}

interface PartOfMap {
  readonly url: string;
  readonly status: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export const map: Command = {
  usage: `sluice map URL [--option value …]   prints the URLs of a site, one a line

  --search WORDS      only URLs that contain all of these words, in the URL or the title
  --limit N           URLs at most (default: 5000)
  --include PATTERN   only URLs that match; --exclude PATTERN: none that match; both can be given several times
  --request.NAME V    a member of the scrape request for the page, such as --request.scraper http
  --NAME V            another member of POST /api/v1/maps/: scope, sitemap, robots, timeout_ms
  --json              prints the answer of the API
  -o FILE             writes to a file

  On a terminal, the sitemaps that were read and the number of URLs that were left out are printed, too.
  URLs can be piped on: sluice map URL --search blog | sluice batch - -o pages
${CONNECTION_USAGE}
${EXIT_CODE_USAGE} 1 also means that nothing was found, or that the page could not be read.`,
  async run(args, io) {
    const options = readOptions(
      args,
      { flags: ['json'], values: ['output'], lists: ['include', 'exclude'] },
      1,
    );
    const url = requireArgument(options.positionals[0], 'URL');
    if (Object.hasOwn(options.members, 'url'))
      throw new CommandError('--url contradicts URL, which is the first argument', WRONG_USAGE);
    return withApi(io, async (api, signal) => {
      const body = { url, ...options.members };
      const result = await api.call<MapView>('POST', '/api/v1/maps/', { body, signal });
      await using output = await openOutput(options.values.get('output') ?? null);
      await output.write(
        options.flags.has('json')
          ? `${JSON.stringify(result, null, 2)}\n`
          : result.items.map((item) => `${item.url}\n`).join(''),
      );
      printSummary(result, io.err);
      return result.items.length === 0 || (result.page !== null && result.page.error !== null) ? 1 : 0;
    });
  },
};

/** What could not be read goes to the error output in any case, the rest only on a terminal. */
function printSummary({ items, page, sitemaps, dropped, truncated }: MapView, err: (line: string) => void) {
  if (page !== null && page.error !== null)
    err(`sluice: ${page.url}: ${page.error.code}: ${page.error.message}`);
  if (!process.stderr.isTTY) return;
  const dim = (text: string) => styleText('dim', text, { stream: process.stderr });
  for (const { url, status, urls, error } of sitemaps)
    err(dim(`sitemap ${url}: ${error === null ? `${urls} URLs` : `${error.code} (status ${status})`}`));
  const reasons = Object.entries(dropped).filter(([, count]) => count > 0);
  if (reasons.length > 0)
    err(dim(`left out: ${reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')}`));
  err(dim(`${items.length} URLs${truncated ? ', and there are more: see --limit' : ''}`));
}
