import { readFileSync } from 'node:fs';
import { type ImportFiles, importCurl, importCurlWords } from '../../wire/import/curl-command.ts';
import { importHar } from '../../wire/import/har.ts';
import { importScrapingBee } from '../../wire/import/scrapingbee.ts';
import { type CommandCall, CommandError, type RunCommand, WRONG_USAGE } from '../core/command.ts';

/** Prints the scrape request that does the same as a curl command, a request of an archive or a call of another API. */
export const importRequest: RunCommand = async (call, io) => {
  const { name, result } = importCall(call);
  if ('problem' in result) throw new CommandError(`${name} ${result.problem}`, WRONG_USAGE);
  for (const text of result.ignored) io.err(`has no effect: ${text}`);
  io.out(JSON.stringify(result.request, null, 2));
  return 0;
};

function importCall(call: CommandCall) {
  const first = call.words[0]!;
  if (first === 'curl') return { name: 'the command', result: importCurlWords(call.words, FILES) };
  // Its name has no query: the query may have a key.
  if (/^https?:\/\//i.test(first)) return { name: 'the URL', result: importScrapingBee(first) };
  return { name: first, result: importFile(call) };
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

function importFile({ words, values }: CommandCall) {
  const file = words[0]!;
  const entry = values.get('entry');
  const text = readBytes(file === '-' ? 0 : file).toString('utf8');
  if (!text.trimStart().startsWith('{')) {
    if (entry !== undefined) throw new CommandError('--entry belongs to an HTTP archive', WRONG_USAGE);
    return importCurl(text, FILES);
  }
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
