import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from './dashboard-pages.ts';
import { type CodeBlock, continuesGroup, renderCode, type ShownBy } from './docs-code.ts';

/** A part of a page that the search can find: a heading with the text below it, or a row of a table. */
export interface DocsSection {
  /** The anchor; '' for the start of the page. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  readonly isRow: boolean;
}

export interface RenderedMarkdown {
  /** The text of the first heading. */
  readonly title: string;
  readonly html: string;
  /** The headings of depth 2, for the list beside the page. */
  readonly contents: readonly { readonly id: string; readonly heading: string }[];
  readonly sections: readonly DocsSection[];
  /** Words of the comment `<!-- search: … -->`, for which the search finds the page though they are not in its text. */
  readonly words: string;
  /** The first paragraph, as text. */
  readonly summary: string;
}

interface RenderOptions {
  /** The address of a link as the file writes it; null: the site has no such page, so only the text is shown. */
  readonly hrefOf: (link: string) => string | null;
  readonly shownBy: ShownBy;
  /** The HTML that stands for a comment such as `<!-- recipes -->`, by its text. */
  readonly parts?: Readonly<Record<string, string>>;
}

/**
 * Renders a file of docs/. HTML in the file is shown as text, and comments are dropped. Headings get the anchors that GitHub
 * gives them. Rows of tables whose first cell is code get that code as their anchor, for codes of errors and names of variables.
 * Requests, and blocks of code that follow one another, become tabs.
 */
export function renderMarkdown(
  text: string,
  { hrefOf, shownBy, parts = {} }: RenderOptions,
): RenderedMarkdown {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(text);
  const groups = groupsOf(tokens);
  const anchors = new Set<string>();
  const contents: { id: string; heading: string }[] = [];
  marked.use({
    renderer: {
      html: ({ text: source }) => {
        const comment = commentOf(source);
        return comment === null ? escapeHtml(source) : (parts[comment] ?? '');
      },
      heading({ tokens: inline, depth }) {
        const heading = plainText(inline);
        const id = freeAnchor(anchorOf(heading), anchors);
        if (depth === 2) contents.push({ id, heading });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(inline)}</h${depth}>\n`;
      },
      code: (token) => {
        const group = groups.get(token) ?? [blockOf(token)];
        return group.length === 0 ? '' : renderCode(group, shownBy);
      },
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
  const paragraph = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  const comments = tokens.flatMap((token) => (token.type === 'html' ? (commentOf(token.raw) ?? []) : []));
  return {
    title: plainText(first?.tokens ?? []),
    html,
    contents,
    sections: sectionsOf(tokens),
    words: comments.flatMap((comment) => /^search: (.+)$/.exec(comment)?.[1] ?? []).join(' '),
    summary: plainText(paragraph?.tokens ?? []),
  };
}

/** The text of a comment; null: it is other HTML. */
const commentOf = (html: string): string | null => /^\s*<!--\s*([\s\S]*?)\s*-->\s*$/.exec(html)?.[1] ?? null;

const blockOf = ({ lang = '', text: code }: Tokens.Code): CodeBlock => ({ info: lang, code });

/** The blocks of code by the first of each group of tabs; the others of the group have no blocks of their own. */
function groupsOf(tokens: readonly Token[]): ReadonlyMap<Token, readonly CodeBlock[]> {
  const groups = new Map<Token, CodeBlock[]>();
  let group: CodeBlock[] = [];
  for (const token of tokens) {
    if (token.type === 'space') continue;
    if (token.type !== 'code') {
      group = [];
      continue;
    }
    const block = blockOf(token as Tokens.Code);
    const continues = group.length > 0 && continuesGroup(group, block);
    if (!continues) group = [];
    groups.set(token, continues ? [] : group);
    group.push(block);
  }
  return groups;
}

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
  const sections: { id: string; heading: string; text: string; isRow: boolean }[] = [];
  for (const token of tokens) {
    const section = sections.at(-1);
    if (token.type === 'heading') {
      const heading = plainText(token.tokens ?? []);
      const id = freeAnchor(anchorOf(heading), anchors);
      sections.push({ id: (token as Tokens.Heading).depth === 1 ? '' : id, heading, text: '', isRow: false });
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
      else
        sections.push({
          id: freeAnchor(code, anchors),
          heading: code,
          text: text.slice(1).join(' · '),
          isRow: true,
        });
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
