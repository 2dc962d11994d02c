/**
 * Finds the main content of pages with another library: `node reading.mjs readability|defuddle`. Takes lines of JSON
 * {html, url} and answers each with {html, ms}: the main content as HTML, and the processor time that it took.
 */
import { createInterface } from 'node:readline';
import { Readability } from '@mozilla/readability';
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';

// The answers are the only lines on standard output.
console.log = console.error;

const EXTRACTORS = {
  readability: ({ html }) => new Readability(parseHTML(html).document).parse()?.content ?? '',
  defuddle: async ({ html, url }) =>
    // Without `useAsync: false` it asks services in the network.
    (await Defuddle(parseHTML(html).document, url, { useAsync: false })).content ?? '',
};
const extract = EXTRACTORS[process.argv[2]];

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

for await (const line of createInterface({ input: process.stdin })) {
  const page = JSON.parse(line);
  const began = cpuMs();
  let html = '';
  try {
    html = await extract(page);
  } catch (error) {
    console.error(String(error?.message ?? error).slice(0, 200));
  }
  process.stdout.write(`${JSON.stringify({ html, ms: cpuMs() - began })}\n`);
}
