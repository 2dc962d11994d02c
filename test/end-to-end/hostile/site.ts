import type { Routes } from '../../adapters/browser/target.ts';
import { BEFORE, endless, HTML, type Kind, page } from './kind.ts';

export const slug = (name: string): string => `/${name.replaceAll(/[^a-z]+/gi, '-')}`;

/** An article of 30 KB, and a script that makes a list. */
const ORDINARY = `${'<p>A paragraph of an article, as there are many, with <a href="/other">a link</a>.</p>'.repeat(350)}
  <ul></ul><script>
  const list = document.querySelector('ul');
  for (let n = 0; n < 500; n++) list.append(Object.assign(document.createElement('li'), { textContent: 'item ' + n }));
  </script>`;

/** A site with all hostile pages and their sub-resources. */
export function routesOf(kinds: readonly Kind[]): Routes {
  return {
    ...Object.fromEntries(kinds.map(({ name, page }) => [slug(name), page])),
    '/calm': page('<p>calm'),
    '/ordinary': page(ORDINARY),
    '/other': page('<p>other'),
    '/never': () => {},
    '/file': (_, response) =>
      void response.writeHead(200, { 'content-disposition': 'attachment; filename=x' }).end('x'.repeat(1e5)),
    '/spin.js': (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/javascript' }).end('for (;;);'),
    '/endless': (_, response) => {
      response.writeHead(200, HTML).write(BEFORE);
      endless(response, '<p>more</p>');
    },
    '/endless.js': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript' }).write('//');
      endless(response, 'x'.repeat(100));
    },
    '/endless.bin': (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write('\x89PNG');
      endless(response, 'x'.repeat(100));
    },
    '/huge.svg': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg" width="32000" height="32000"><filter id="f"><feTurbulence numOctaves="9"/></filter><rect width="32000" height="32000" filter="url(#f)"/></svg>',
        ),
  };
}
