import { type MadeSite, startMadeSite } from '../../helpers/made-site.ts';

export type ExampleSite = MadeSite;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

const PROSE =
  '<p>A paragraph about this page, which is long enough to be the main content of it. It has several sentences. They say little, but they are what a reader would want to read here.</p>';

const SEARCH = page(
  'Search',
  `<form><input name="q"><button>Search</button></form><ul id="results"></ul>
<script>
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  setTimeout(() => {
    const word = document.querySelector('[name=q]').value;
    document.querySelector('#results').innerHTML = [1, 2, 3].map((n) => '<li class="result">' + word + ' ' + n + '</li>').join('');
  }, 100);
});
</script>`,
);

/** The site that stands in for example.com, where test hosts do not: through proxies, and for a form that searches. */
export const startExampleSite = (): Promise<ExampleSite> =>
  startMadeSite((path) => (path === '/search' ? SEARCH : page('Example', PROSE)));
