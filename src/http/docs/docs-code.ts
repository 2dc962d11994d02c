import type { ExactJsonObject } from '../../snippets/json.ts';
import { SNIPPET_LANGUAGES } from '../../snippets/languages.ts';
import { sharedFragment } from '../../snippets/share-link.ts';
import { SCRAPE } from '../../snippets/snippet.ts';
import { coloredCode } from './code-colors.ts';
import { basePathOf, escapeHtml } from './dashboard-pages.ts';

/** A fenced block of a Markdown file. */
export interface CodeBlock {
  /** The words after the fence: `json POST /api/v1/scrape/`. */
  readonly info: string;
  readonly code: string;
}

/** Where the files say that the service listens. Configurations of other programs say it too, and stay as they are. */
const EXAMPLE_BASE = 'http://127.0.0.1:8080';
const PROGRAMS = /^(?:sh|bash|ts|js|python|go|php|ruby|java)\b/;

/** The service that shows the code. */
export interface ShownBy {
  /** Of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly hasDashboard: boolean;
}

/** The tabs of hand-written blocks, by the beginning of their info string. Other blocks stand alone. */
const TABS: readonly (readonly [info: RegExp, label: string])[] = [
  [/^(?:sh|bash) curl\b/, 'curl'],
  [/^(?:ts|js)\b/, 'TypeScript'],
  [/^python\b/, 'Python'],
  [/^(?:sh|bash) cli\b/, 'CLI'],
  [/^go\b/, 'Go'],
  [/^php\b/, 'PHP'],
  [/^ruby\b/, 'Ruby'],
  [/^java\b/, 'Java'],
];

/** A request for which the site shows code in all languages: its path and body; null for other blocks. */
export function requestOf({ info, code }: CodeBlock): { path: string; body: ExactJsonObject } | null {
  const path = /^json POST (\/\S+)/.exec(info)?.[1];
  return path === undefined ? null : { path, body: JSON.parse(code) as ExactJsonObject };
}

/** The label of the tab that a block can be; null: it stands alone. */
export const tabOf = ({ info }: CodeBlock): string | null =>
  TABS.find(([pattern]) => pattern.test(info))?.[1] ?? null;

/**
 * Whether `next` belongs into the group of tabs that `group` is so far.
 * @param group blocks that follow one another directly
 */
export function continuesGroup(group: readonly CodeBlock[], next: CodeBlock): boolean {
  const label = tabOf(next);
  return label !== null && group.every((block) => tabOf(block) !== null && tabOf(block) !== label);
}

/** The HTML of a group: one block, or several as tabs. Without scripts all tabs are shown, one below the other. */
export function renderCode(group: readonly CodeBlock[], shownBy: ShownBy): string {
  const [first] = group;
  const request = group.length === 1 && first !== undefined ? requestOf(first) : null;
  if (request !== null) return renderRequest(request.path, request.body, shownBy);
  const boxes = group.map((block) => {
    const code = PROGRAMS.test(block.info)
      ? block.code.replaceAll(EXAMPLE_BASE, shownBy.baseUrl)
      : block.code;
    return box(code, languageOf(block.info), group.length === 1 ? null : tabOf(block));
  });
  return boxes.length === 1 ? boxes.join('') : tabs(boxes);
}

function renderRequest(path: string, body: ExactJsonObject, { baseUrl, hasDashboard }: ShownBy): string {
  const boxes = Object.entries(SNIPPET_LANGUAGES).flatMap(([label, { write, syntax }]) => {
    const { code } = write(baseUrl, body, path);
    return code === null ? [] : [box(code.trimEnd(), syntax, label)];
  });
  const playground = `${basePathOf(baseUrl)}/playground`;
  const fragment = sharedFragment(JSON.stringify(body, null, 2));
  const link =
    hasDashboard && path === SCRAPE
      ? `<p class="run"><a href="${escapeHtml(`${playground}#${fragment}`)}">Run in the playground</a></p>\n`
      : '';
  return tabs(boxes, link);
}

const tabs = (boxes: readonly string[], below = ''): string =>
  `<div class="tabs">\n${boxes.join('')}${below}</div>\n`;

function box(code: string, language: string, label: string | null): string {
  const name = label === null ? '' : `<p class="label">${label}</p>`;
  const attribute = label === null ? '' : ` data-label="${label}"`;
  return `<div class="code"${attribute} data-language="${escapeHtml(language)}">${name}<pre tabindex="0"><code>${coloredCode(code, language)}</code></pre></div>\n`;
}

/** The language of a code block, from its info string; the words after it are for tabs and tests. */
const languageOf = (info: string): string => info.split(/\s/)[0] ?? '';
