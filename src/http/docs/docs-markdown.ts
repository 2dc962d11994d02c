import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from './dashboard-pages.ts';

/** A part of a page that the search can find: a heading with the text below it, or a row of a table. */
export interface DocsSection {
  /** The anchor; '' for the start of the page. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

export interface RenderedMarkdown {
  /** The text of the first heading. */
  readonly title: string;
  readonly html: string;
  /** The headings of depth 2, for the list beside the page. */
  readonly contents: readonly { readonly id: string; readonly heading: string }[];
  readonly sections: readonly DocsSection[];
}

/**
 * Renders a file of docs/. HTML in the file is shown as text, and comments are dropped. Headings get the anchors that GitHub
 * gives them. Rows of tables whose first cell is code get that code as their anchor, for codes of errors and names of variables.
 * @param hrefOf the address of a link as the file writes it; null: the site has no such page, so only the text is shown
 */
export function renderMarkdown(text: string, hrefOf: (link: string) => string | null): RenderedMarkdown {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(text);
  const anchors = new Set<string>();
  const contents: { id: string; heading: string }[] = [];
  marked.use({
    renderer: {
      html: ({ text: source }) => (source.trimStart().startsWith('<!--') ? '' : escapeHtml(source)),
      heading({ tokens: inline, depth }) {
        const heading = plainText(inline);
        const id = freeAnchor(anchorOf(heading), anchors);
        if (depth === 2) contents.push({ id, heading });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(inline)}</h${depth}>\n`;
      },
      // The words after the language are for the test of the examples.
      code: ({ text: code, lang }) =>
        `<div class="code" data-language="${escapeHtml(languageOf(lang))}"><pre tabindex="0"><code>${escapeHtml(code)}</code></pre></div>\n`,
      link({ href, tokens: inline }) {
        const target = hrefOf(href);
        const label = this.parser.parseInline(inline);
        return target === null ? label : `<a href="${escapeHtml(target)}">${label}</a>`;
      },
      image: ({ text: alternative }) => escapeHtml(alternative),
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const body = rows.map((row) => {
          const code = codeOf(row[0]);
          const id =
            code === null || anchors.has(code) ? '' : ` id="${escapeHtml(freeAnchor(code, anchors))}"`;
          return `<tr${id}>${cells(row, 'td')}</tr>`;
        });
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parser(tokens);
  const first = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  return { title: plainText(first?.tokens ?? []), html, contents, sections: sectionsOf(tokens) };
}

/** The language of a code block, from its info string. */
const languageOf = (info: string | undefined): string => info?.split(/\s/)[0] ?? '';

/** The text of a cell that is only one word of code, such as a code of an error; null for others. */
function codeOf(cell: Tokens.TableCell | undefined): string | null {
  const [only, ...others] = cell?.tokens ?? [];
  if (only?.type !== 'codespan' || others.length > 0) return null;
  const { text } = only as Tokens.Codespan;
  return /^[\w.[\]]+$/.test(text) ? text : null;
}

/** The anchor that GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function freeAnchor(wanted: string, taken: Set<string>): string {
  let anchor = wanted;
  for (let number = 1; taken.has(anchor); number++) anchor = `${wanted}-${number}`;
  taken.add(anchor);
  return anchor;
}

function sectionsOf(tokens: readonly Token[]): readonly DocsSection[] {
  const anchors = new Set<string>();
  const sections: { id: string; heading: string; text: string }[] = [];
  for (const token of tokens) {
    const section = sections.at(-1);
    if (token.type === 'heading') {
      const heading = plainText(token.tokens ?? []);
      const id = freeAnchor(anchorOf(heading), anchors);
      sections.push({ id: (token as Tokens.Heading).depth === 1 ? '' : id, heading, text: '' });
      continue;
    }
    if (section === undefined) continue;
    if (token.type !== 'table') {
      section.text = `${section.text} ${plainText([token])}`.trim();
      continue;
    }
    for (const row of (token as Tokens.Table).rows) {
      const code = codeOf(row[0]);
      const text = row.map((cell) => plainText(cell.tokens));
      if (code === null || anchors.has(code)) section.text = `${section.text} ${text.join(' ')}`.trim();
      else sections.push({ id: freeAnchor(code, anchors), heading: code, text: text.slice(1).join(' · ') });
    }
  }
  return sections;
}

/** The words of tokens without their markup. */
function plainText(tokens: readonly Token[]): string {
  const parts = tokens.map((token) => {
    if (token.type === 'html' || token.type === 'space') return ' ';
    if (token.type === 'list')
      return (token as Tokens.List).items.map(({ tokens: item }) => plainText(item)).join(' ');
    if (token.type === 'br') return ' ';
    if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
    return 'text' in token ? String(token.text) : '';
  });
  return parts.join('').replaceAll(/\s+/g, ' ');
}
