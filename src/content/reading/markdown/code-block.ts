/** Code: the text of a `pre`, and the language that it declares. */
import { attributeOf, shownChildrenOf, type TreeNode } from '../../document/page-tree.ts';
import { displayOf } from '../../document/visible-text.ts';
import { longestRun } from './write-inline.ts';

/** Class names by which highlighters mark the numbers of lines. */
const LINE_NUMBERS =
  /(?:^|[-_])(?:gutter|line-?no|line-?nos|line-?nums?|lines-num|linenr|linenodiv|line-?numbers?|line_numbers?|linenumbers-rows|blob-num|lnt|rowno|crayon-nums?|ln-numbers?)(?:$|[-_](?:rows|cell|elt|inner|content|[a-z]*\d))/i;
/** The same within code. Elsewhere such names mean other things. */
const LINE_NUMBERS_IN_CODE = /^(?:ln|nums?|number|no|lnlinks|file-line-num)$/i;

const MAX_LINE_NUMBERS = 2000;

export function classTokens(node: TreeNode): string[] {
  return attributeOf(node, 'class')?.slice(0, 2000).split(/\s+/) ?? [];
}

/** Whether an element has nothing but the numbers of lines, which are not a part of the code. */
export function isLineNumbers(node: TreeNode, { inCode = false } = {}): boolean {
  const isNamed = classTokens(node).some(
    (token) => LINE_NUMBERS.test(token) || (inCode && LINE_NUMBERS_IN_CODE.test(token)),
  );
  return isNamed && hasOnlyDigits(node);
}

/** Digits, with the blanks, points and bars that set them apart from the code. */
function hasOnlyDigits(node: TreeNode): boolean {
  const nodes = nodesWithin(node, MAX_LINE_NUMBERS);
  return nodes?.every(({ value }) => value === undefined || /^[\d\s.:|│┃]*$/.test(value)) === true;
}

/** Levels that are searched below an element. Wrappers are few; a limit keeps nested ones from being searched again and again. */
const SEARCHED_LEVELS = 5;

/** The nodes of the first levels of an element, breadth first; null if there are more than `maxNodes`. */
export function nodesWithin(root: TreeNode, maxNodes: number): TreeNode[] | null {
  const found = [root];
  let index = 0;
  for (let level = 0; level < SEARCHED_LEVELS; level++)
    for (const end = found.length; index < end; index++)
      for (const child of shownChildrenOf(found[index]!)) if (found.push(child) > maxNodes) return null;
  return found;
}

/** The lines of a fenced code block; null if it is empty. */
export function codeBlock(pre: TreeNode, excluded: ReadonlySet<TreeNode>): string[] | null {
  return fenced(preservedText(pre, excluded), languageOf(pre));
}

function fenced(written: string, language: string): string[] | null {
  const text = written.replace(/^(?:[ \t]*\n)+/, '');
  const code = text.slice(0, lastLineEnd(text));
  if (code === '') return null;
  const fence = '`'.repeat(Math.max(3, longestRun(code, '`') + 1));
  return [fence + language, ...code.split('\n'), fence];
}

/** Class names of elements that are a line of code each, with those of their container. A bare `line` may be anything. */
const LINE =
  /^(?:crayon-line|ace_line|cm-line|CodeMirror-line|view-line|token-line|code-line|codeline|ec-line|react-file-line|vc_file_line_text|source-line|line)$/;
const CODE_CONTAINER =
  /(?:^|[-_])(?:code|syntaxhighlighter|highlight|highlighter|source|crayon|ace|cm|view|react)(?:$|[-_])/i;
/** Class names of the cells that hold a line of code, beside that of its number. */
const LINE_CELL =
  /^(?:lines-code|blob-code(?:-inner)?|line-code|code-line|hljs-ln-code|vc_file_line_text|code|code-inner|line-content|line_content|source|src|content|line)$/;
/** Cells beside the code: the number, marks of changes, a button. */
const MAX_CELLS = 4;
const MAX_LINES = 20_000;
/** Elements that may hold code line by line. */
const HOLD_LINES = new Set(['table', 'div', 'section']);

/**
 * Code that is a table with a line in each row, or blocks that are lines, without `pre`, as a fenced code block; null: it is
 * none.
 */
export function codeOfLines(node: TreeNode, excluded: ReadonlySet<TreeNode>): string[] | null {
  if (!HOLD_LINES.has(node.tagName!)) return null;
  const lines = node.tagName === 'table' ? linesOfTable(node) : linesOfBlocks(node);
  if (lines === null) return null;
  const text = lines.map((line) => preservedText(line, excluded).replace(/\n$/, ''));
  return fenced(text.join('\n').replaceAll('\u00a0', ' '), languageOf(node));
}

function linesOfTable(table: TreeNode): TreeNode[] | null {
  const sections = childElements(table).flatMap((child) =>
    SECTIONS.has(child.tagName!) ? childElements(child) : [child],
  );
  const rows = sections.filter(({ tagName }) => tagName === 'tr');
  if (rows.length === 0 || rows.length > MAX_LINES) return null;
  const lines: TreeNode[] = [];
  for (const row of rows) {
    const line = lineOfRow(row);
    if (line === null) return null;
    lines.push(line);
  }
  return lines;
}

const SECTIONS = new Set(['thead', 'tbody', 'tfoot']);
const childElements = (node: TreeNode): TreeNode[] =>
  shownChildrenOf(node).filter(({ tagName }) => tagName !== undefined);

/** The cell with the code, if all others of the row are about the number of the line. */
function lineOfRow(row: TreeNode): TreeNode | null {
  const cells = childElements(row);
  const code = cells.at(-1);
  if (code === undefined || cells.length < 2 || cells.length > MAX_CELLS) return null;
  const others = cells.slice(0, -1);
  const isNumber = (cell: TreeNode) =>
    isLineNumbers(cell, { inCode: true }) || (hasOnlyDigits(cell) && /^L?\d*$/.test(lineIdOf(cell)));
  if (!others.every((cell) => hasOnlyDigits(cell)) || !others.some(isNumber)) return null;
  const inside = childElements(code);
  // White space around a single `code` is that of the source.
  const alone =
    inside.length === 1 && inside[0]!.tagName === 'code' && hasNoOwnText(code) ? inside[0]! : null;
  const isNamed = classTokens(code).some((token) => LINE_CELL.test(token));
  if (inside.some(({ tagName }) => tagName === 'pre')) return null;
  return isNamed || alone !== null ? (alone ?? code) : null;
}

/** `id=L12`, or `data-line-number=12`, of a cell or of what is in it; a text if there is none. */
const lineIdOf = (cell: TreeNode): string =>
  [cell, ...childElements(cell).slice(0, 2)]
    .map((node) => attributeOf(node, 'data-line-number') ?? attributeOf(node, 'id'))
    .find((id) => id !== null) ?? 'none';

const hasNoOwnText = (node: TreeNode): boolean =>
  shownChildrenOf(node).every(({ value }) => value === undefined || value.trim() === '');

function linesOfBlocks(container: TreeNode): TreeNode[] | null {
  const children = childElements(container);
  const isLine = (node: TreeNode) => classTokens(node).some((token) => LINE.test(token));
  if (children.length === 0 || children.length > MAX_LINES || !isLine(children[0]!)) return null;
  if (!children.every(isLine) || !hasNoOwnText(container)) return null;
  let around: TreeNode | null = container;
  for (let up = 0; around?.tagName !== undefined && up < MAX_AROUND; up++, around = around.parentNode)
    if (classTokens(around).some((token) => CODE_CONTAINER.test(token))) return children;
  return null;
}

function lastLineEnd(text: string): number {
  let end = text.length;
  while (end > 0 && /\s/.test(text[end - 1]!)) end--;
  return end;
}

/** The text with all its white space. Blocks inside begin a new line. */
export function preservedText(root: TreeNode, excluded: ReadonlySet<TreeNode>): string {
  const pieces: string[] = [];
  let atLineStart = true;
  const add = (text: string) => {
    if (text === '') return;
    pieces.push(text);
    atLineStart = text.endsWith('\n');
  };
  const endLine = () => {
    if (!atLineStart) add('\n');
  };
  const shown = shownChildrenOf(root);
  const open: { children: readonly TreeNode[]; nextIndex: number; isBlock: boolean; inLines: boolean }[] = [
    { children: shown, nextIndex: 0, isBlock: false, inLines: areLines(shown) },
  ];
  while (open.length > 0) {
    const frame = open.at(-1)!;
    const node = frame.children[frame.nextIndex++];
    if (node === undefined) {
      if (frame.isBlock) endLine();
      open.pop();
    } else if (node.value !== undefined) add(node.value.replaceAll(/\r\n?/g, '\n'));
    else if (node.tagName !== undefined && !excluded.has(node)) {
      const display = displayOf(node);
      if (display === 'break') add('\n');
      else if (display !== 'none' && !isLineNumbers(node, { inCode: true })) {
        const isBlock = (display !== 'inline' && display !== 'cell') || frame.inLines;
        if (isBlock) endLine();
        const children = shownChildrenOf(node);
        open.push({ children, nextIndex: 0, isBlock, inLines: areLines(children) });
      }
    }
  }
  return pieces.join('');
}

/** Whether elements that are lines follow each other without a line break: a style sheet shows each as a block. */
function areLines(children: readonly TreeNode[]): boolean {
  let lines = 0;
  for (const child of children) {
    if (child.tagName === undefined) {
      if (child.value?.includes('\n')) return false;
    } else if (child.tagName === 'br' || endsLine(child)) return false;
    else if (classTokens(child).some((token) => LINE.test(token)) || attributeOf(child, 'data-line') !== null)
      lines++;
    else if (!isLineNumbers(child, { inCode: true })) return false;
  }
  return lines >= 2;
}

/** Whether the last text in an element ends with a line break. */
function endsLine(element: TreeNode): boolean {
  let node: TreeNode | undefined = element;
  for (let depth = 0; node !== undefined && depth < 20; depth++) {
    if (node.value !== undefined) return node.value.endsWith('\n');
    if (node.tagName === 'br') return true;
    node = shownChildrenOf(node).at(-1);
  }
  return false;
}

const LANGUAGE_CLASS = /^(?:language|lang|highlight-source|brush)[-:]\s*([a-z0-9+#._-]{1,30})$/i;
/** `highlight-python` of Sphinx; other sites have classes such as `highlight-wrap`. */
const HIGHLIGHT_CLASS = /^highlight-([a-z0-9+#._-]{1,30})$/i;
/** Many highlighters write the language as a class of its own, such as `sourceCode python`. */
const LANGUAGES = new Set(
  `abap ada apache applescript arduino asm awk bash basic batch bat c clojure cmake cobol coffeescript console cpp crystal
  c++ cs csharp css csv cuda d dart delphi diff django docker dockerfile elixir elm erlang fortran fsharp gherkin git glsl go
  golang gradle graphql groovy haml handlebars haskell hcl html http ini ipython3 java javascript jinja js json json5 jsonc jsx
  julia kotlin latex less lisp lua makefile markdown matlab mermaid nasm nginx nim nix objc objective-c objectivec ocaml
  pascal perl php plsql postgresql powershell prolog properties protobuf ps1 puppet py pycon python python3 r racket
  rb reasonml rst ruby rust sass scala scheme scss sh shell shell-session sql svelte swift tcl terraform tex toml ts tsx
  twig typescript vb vbnet verilog vhdl vim vue wasm xml yaml yml zig zsh`.split(/\s+/),
);
/** What is said of text that is not code. */
const NO_LANGUAGE = new Set(['none', 'default', 'plaintext', 'text', 'txt', 'plain', 'nohighlight']);

/** Elements around a `pre` that may name its language. Hexo puts it into a table in a `figure`. */
const MAX_AROUND = 6;

/** Names the language by the class or data attribute of the `pre`, of the `code` in it, or of the elements around. */
function languageOf(pre: TreeNode): string {
  const code = (pre.childNodes ?? []).slice(0, 20).find(({ tagName }) => tagName === 'code');
  const around: TreeNode[] = [];
  for (
    let node = pre.parentNode;
    node?.tagName !== undefined && around.length < MAX_AROUND;
    node = node.parentNode
  )
    around.push(node);
  for (const node of [code, pre, ...around]) {
    if (node === undefined) continue;
    const found = declaredLanguage(node, node === code || node === pre);
    if (found !== null) return NO_LANGUAGE.has(found) ? '' : found;
  }
  return '';
}

function declaredLanguage(node: TreeNode, isOwn: boolean): string | null {
  // Elements around may also state the language of their text.
  const isLanguage = (name: string) => (isOwn ? /^[a-z0-9+#._-]{1,30}$/.test(name) : LANGUAGES.has(name));
  for (const attribute of LANGUAGE_ATTRIBUTES) {
    const named = attributeOf(node, attribute)?.toLowerCase();
    if (named !== undefined && isLanguage(named)) return named;
  }
  const tokens = classTokens(node);
  for (const [index, token] of tokens.entries()) {
    const language = LANGUAGE_CLASS.exec(token === 'brush:' ? token + (tokens[index + 1] ?? '') : token)?.[1];
    if (language !== undefined) return language.toLowerCase();
    const highlighted = HIGHLIGHT_CLASS.exec(token)?.[1]?.toLowerCase();
    if (highlighted !== undefined && isKnownLanguage(highlighted)) return highlighted;
  }
  // Hexo: `highlight js`.
  const named = isOwn || tokens.includes('highlight') ? tokens.map((token) => token.toLowerCase()) : [];
  const found = named.find(isKnownLanguage) ?? null;
  // GitHub: `<pre lang="ruby">`. Two letters may be a language that people speak.
  const lang = isOwn ? attributeOf(node, 'lang')?.toLowerCase() : undefined;
  return found ?? (lang !== undefined && lang.length > 2 && LANGUAGES.has(lang) ? lang : null);
}

const LANGUAGE_ATTRIBUTES = ['data-lang', 'data-language', 'data-enlighter-language'];

const isKnownLanguage = (name: string): boolean => LANGUAGES.has(name) || NO_LANGUAGE.has(name);
