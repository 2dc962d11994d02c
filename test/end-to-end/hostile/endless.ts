import { gzipSync } from 'node:zlib';
import { BEFORE, endless, HTML, type Kind, PAGE_OR_CRASH, PAGE_OR_TIME, page } from './kind.ts';

/** Made when the file is loaded, because it takes a second, which would block the event loop during the test. */
const BOMB = process.env.LONG === '1' ? bomb() : null;

/** Responses that never end, or are larger than they announce. */
export const ENDLESS: readonly Kind[] = [
  {
    name: 'a document that never ends',
    page: (_, response) => {
      response.writeHead(200, HTML).write(BEFORE);
      endless(response, '<p>more</p>');
    },
    answers: PAGE_OR_TIME,
  },
  {
    name: 'a document that never goes on',
    long: true,
    page: (_, response) => void response.writeHead(200, HTML).write(BEFORE + ' '.repeat(2048)),
    answers: PAGE_OR_TIME,
  },
  { name: 'a document that never comes', page: () => {}, answers: ['timeout.total'] },
  {
    name: 'a head and nothing',
    page: (_, response) => response.writeHead(200, HTML).flushHeaders(),
    answers: ['empty', 'timeout.total'],
  },
  { name: 'a style that never comes', page: page('<link rel="stylesheet" href="/never"><p>x') },
  { name: 'a script that never ends', long: true, page: page('<script src="/endless.js"></script><p>x') },
  { name: 'pictures that never end', long: true, page: page('<img src="/endless.bin">'.repeat(50)) },
  { name: 'a frame that never ends', page: page('<iframe src="/endless"></iframe>') },
  {
    name: 'text that never ends',
    page: (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('before');
      endless(response, 'x'.repeat(100));
    },
  },
  {
    name: 'a gigabyte in a megabyte',
    long: true,
    page: (_, response) => void response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(BOMB),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'fifty megabytes of text',
    long: true,
    page: (_, response) => void response.writeHead(200, HTML).end(`${BEFORE}<p>${'x '.repeat(25e6)}`),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'a picture of a gigapixel',
    page: page('<img src="/huge.svg" width=100>'),
    ask: { screenshot: true },
  },
  {
    name: 'redirects of scripts',
    long: true,
    page: (request, response) =>
      void response
        .writeHead(200, HTML)
        .end(
          `${BEFORE}<script>location.replace(${JSON.stringify(`${new URL(request.url!, 'http://a').pathname}?${Math.random()}`)})</script>`,
        ),
    answers: PAGE_OR_TIME,
  },
];

function bomb(): Buffer {
  const part = gzipSync(Buffer.concat([Buffer.from(BEFORE), Buffer.alloc(2e8, 'x')]));
  return Buffer.concat(Array.from({ length: 5 }, () => part));
}
