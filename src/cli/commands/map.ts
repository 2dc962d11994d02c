import { CommandError, type RunCommand, WRONG_USAGE } from '../core/command.ts';
import { withApi } from '../core/connect.ts';
import { openOutput, styled } from '../core/output.ts';

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

export const map: RunCommand = async (call, io) => {
  const { values, flags, members } = call;
  if (Object.hasOwn(members, 'url'))
    throw new CommandError('--url contradicts URL, which is the first argument', WRONG_USAGE);
  return withApi(io, call, async (api, signal) => {
    const body = { url: call.words[0]!, ...members };
    const result = await api.call<MapView>('POST', '/api/v1/maps/', { body, signal });
    await using output = await openOutput(values.get('output') ?? null);
    await output.write(
      flags.has('json')
        ? `${JSON.stringify(result, null, 2)}\n`
        : result.items.map((item) => `${item.url}\n`).join(''),
    );
    printSummary(result, io.err);
    return result.items.length === 0 || (result.page !== null && result.page.error !== null) ? 1 : 0;
  });
};

/** What could not be read goes to the error output in any case, the rest only on a terminal. */
function printSummary({ items, page, sitemaps, dropped, truncated }: MapView, err: (line: string) => void) {
  if (page !== null && page.error !== null)
    err(`sluice: ${page.url}: ${page.error.code}: ${page.error.message}`);
  if (!process.stderr.isTTY) return;
  const dim = (text: string) => styled('dim', text, process.stderr);
  for (const { url, status, urls, error } of sitemaps)
    err(dim(`sitemap ${url}: ${error === null ? `${urls} URLs` : `${error.code} (status ${status})`}`));
  const reasons = Object.entries(dropped).filter(([, count]) => count > 0);
  if (reasons.length > 0)
    err(dim(`left out: ${reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')}`));
  err(dim(`${items.length} URLs${truncated ? ', and there are more: see --limit' : ''}`));
}
