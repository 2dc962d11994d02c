import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderMarkdown } from '../../src/http/docs/docs-markdown.ts';

const render = (text: string) => renderMarkdown(text, (link) => (link === 'known.md' ? '/docs/known' : null));

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
      { id: '', heading: 'T', text: 'Intro. c two' },
      { id: 'a.b', heading: 'a.b', text: 'one ' },
    ]);
  });

  test('code is not interpreted, and its note is not shown', () => {
    const { html } = render('```bash not-run: it needs a <reason>\necho "<b>"\n```\n');
    assert.equal(
      html,
      '<div class="code" data-language="bash"><pre tabindex="0"><code>echo &quot;&lt;b&gt;&quot;</code></pre></div>\n',
    );
  });
});
