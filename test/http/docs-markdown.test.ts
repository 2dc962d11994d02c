import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderMarkdown } from '../../src/http/docs/docs-markdown.ts';
import { requestOfFragment } from '../../src/snippets/share-link.ts';

const render = (text: string, hasDashboard = true) =>
  renderMarkdown(text, {
    hrefOf: (link) => (link === 'known.md' ? '/docs/known' : null),
    shownBy: { baseUrl: 'https://sluice.example/x', hasDashboard },
  });

describe('Markdown of the documentation', () => {
  test('HTML is shown as text, and comments are dropped', () => {
    const { html } = render(
      '# A\n\n<script>alert(1)</script>\n\na <b onclick="x()">b</b>\n\n<!-- note -->\n',
    );
    assert.doesNotMatch(html, /<script|<b |note/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  });

  test('links to pages that the site does not have are text', () => {
    const { html } = render('[known](known.md) and [unknown](unknown.md) and [bad](javascript:alert(1))');
    assert.equal(html, '<p><a href="/docs/known">known</a> and unknown and bad</p>\n');
  });

  test('headings have the anchors of GitHub, each once', () => {
    const { html, title, contents } = render(
      '# A *title*\n\n## 3. `page_actions`, etc.\n\n## Twice\n\n## Twice\n',
    );
    assert.equal(title, 'A title');
    assert.deepEqual(
      contents.map(({ id }) => id),
      ['3-page_actions-etc', 'twice', 'twice-1'],
    );
    assert.match(html, /<h2 id="3-page_actions-etc">3\. <code>page_actions<\/code>, etc\.<\/h2>/);
  });

  test('rows of codes have anchors, and are parts for the search', () => {
    const { html, sections } = render(
      '# T\n\nIntro.\n\n| code | what |\n|---|---|\n| `a.b` | one <i> |\n| c | two |\n',
    );
    assert.match(html, /<tr id="a\.b"><td><code>a\.b<\/code><\/td>/);
    assert.deepEqual(sections, [
      { id: '', heading: 'T', text: 'Intro. c two', isRow: false },
      { id: 'a.b', heading: 'a.b', text: 'one ', isRow: true },
    ]);
  });

  test('code is not interpreted, and its note is not shown', () => {
    const { html } = render('```bash not-run: it needs a <reason>\necho "<b>" # <i>\n```\n');
    assert.equal(
      html,
      '<div class="code" data-language="bash"><pre tabindex="0"><code>echo <span class="string">&quot;&lt;b&gt;&quot;</span> <span class="comment"># &lt;i&gt;</span></code></pre></div>\n',
    );
  });

  test('a request is shown in all languages, with the address of the service, and opens in the playground', () => {
    const source = '```json POST /api/v1/scrape/\n{ "url": "https://a.test/<b>" }\n```\n';
    const { html } = render(source);
    assert.deepEqual(labels(html), ['curl', 'TypeScript', 'Python', 'CLI', 'Go', 'PHP', 'Ruby', 'Java']);
    assert.match(html, /https:\/\/sluice\.example\/x\/api\/v1\/scrape\//);
    assert.doesNotMatch(html, /<b>/);
    const fragment = /href="\/x\/playground#(request=[^"]+)"/.exec(html)?.[1];
    assert.deepEqual(JSON.parse(requestOfFragment(fragment ?? '') ?? ''), { url: 'https://a.test/<b>' });
    assert.doesNotMatch(render(source, false).html, /playground/);
  });

  test('a call of another endpoint is shown in the languages that have it', () => {
    const { html } = render('```json POST /api/v1/crawls/\n{ "url": "https://a.test/" }\n```\n');
    assert.deepEqual(labels(html), ['curl', 'TypeScript', 'Python', 'Go', 'PHP', 'Ruby', 'Java']);
    assert.match(html, /sluice\.crawl\(/);
    assert.doesNotMatch(html, /playground/);
  });

  test('blocks of different languages that follow one another are tabs, others stand alone', () => {
    const block = (info: string) => `\`\`\`${info}\nx http://127.0.0.1:8080/\n\`\`\`\n`;
    const tabs = ['sh curl', 'ts', 'python not-run: a reason', 'sh cli'].map(block).join('\n');
    assert.deepEqual(labels(render(tabs).html), ['curl', 'TypeScript', 'Python', 'CLI']);
    assert.equal(render(tabs).html.match(/class="tabs"/g)?.length, 1);
    const apart = [block('ts'), block('ts'), 'text\n', block('python'), block('nginx')].join('\n');
    assert.deepEqual(labels(render(apart).html), []);
    assert.match(render(apart).html, /<code>x http:\/\/127\.0\.0\.1:8080\/<\/code>/);
    assert.match(render(block('ts')).html, /x https:/);
  });
});

const labels = (html: string) => [...html.matchAll(/<p class="label">([^<]+)/g)].map(([, label]) => label);
