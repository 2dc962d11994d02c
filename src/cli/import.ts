import { readFileSync } from 'node:fs';
import { type ImportFiles, importCurl, importCurlWords } from '../wire/import/curl-command.ts';
import { importHar } from '../wire/import/har.ts';
import { importScrapingBee } from '../wire/import/scrapingbee.ts';
import { type Command, CommandError, readArgs, requireArgument, WRONG_USAGE } from './command.ts';

/** Prints the scrape request that does the same as a curl command, a request of an archive or a call of another API. */
export const importRequest: Command = {
  usage: `sluice import curl URL …       prints the scrape request that does the same as this curl command
sluice import FILE [--entry N]  FILE has a curl command, or is an HTTP archive (HAR) as browsers save it; "-" is standard input
sluice import URL               a call of ScrapingBee, ScraperAPI, ScrapingAnt or Scrape.do (in quotes)

  --entry N   which entry of the archive, counted from 0 (default: the first document)

  Files that the command reads (-d @file) are read. Nothing is fetched. What has no effect is printed to the error output.`,
  run(args, io) {
    const { name, result } = importArgs(args);
    if ('problem' in result) throw new CommandError(`${name} ${result.problem}`, WRONG_USAGE);
    for (const text of result.ignored) io.err(`has no effect: ${text}`);
    io.out(JSON.stringify(result.request, null, 2));
    return Promise.resolve(0);
  },
};

function importArgs(args: readonly string[]) {
  const first = args[0] ?? '';
  if (first === 'curl') return { name: 'the command', result: importCurlWords(args, FILES) };
  // Its name has no query: the query may have a key.
  if (/^https?:\/\//i.test(first) && args.length === 1)
    return { name: 'the URL', result: importScrapingBee(first) };
  return { name: first, result: importFile(args) };
}

const FILES: ImportFiles = {
  get: (name) => readBytes(name === '-' ? 0 : name),
};

function readBytes(file: string | 0): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandError(
      `${file === 0 ? 'standard input' : file} cannot be read: ${(error as Error).message}`,
    );
  }
}

function importFile(args: readonly string[]) {
  const { values, positionals } = readArgs(args, { entry: { type: 'string' } }, { maxPositionals: 1 });
  const file = requireArgument(positionals[0], 'FILE');
  const text = readBytes(file === '-' ? 0 : file).toString('utf8');
  if (!text.trimStart().startsWith('{')) {
    if (values.entry !== undefined) throw new CommandError('--entry belongs to an HTTP archive', WRONG_USAGE);
    return importCurl(text, FILES);
  }
  const { entry } = values;
  if (entry !== undefined && !/^\d+$/.test(entry))
    throw new CommandError(`--entry must be a whole number, got "${entry}"`, WRONG_USAGE);
  return importHar(archiveOf(text, file), entry === undefined ? null : Number(entry));
}

function archiveOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
