/** Code: the text of a `pre`, and the language that it declares. */
import { attributeOf, shownChildrenOf, type TreeNode } from '../../document/page-tree.ts';
import { displayOf } from '../../document/visible-text.ts';
import { longestRun } from './write-inline.ts';

/** Class names by which highlighters mark the numbers of lines. */
const LINE_NUMBERS = new Set(
  'gutter rouge-gutter lineno linenos linenodiv linenumber line-number line-numbers line-numbers-rows lnt hljs-ln-numbers'.split(
    ' ',
  ),
);

const MAX_LINE_NUMBERS = 2000;

export function classTokens(node: TreeNode): string[] {
  return attributeOf(node, 'class')?.slice(0, 2000).split(/\s+/) ?? [];
}

/** Whether an element has nothing but the numbers of lines, which are not a part of the code. */
export function isLineNumbers(node: TreeNode): boolean {
  if (!classTokens(node).some((token) => LINE_NUMBERS.has(token))) return false;
  const nodes = nodesWithin(node, MAX_LINE_NUMBERS);
  return nodes?.every(({ value }) => value === undefined || /^[\d\s]*$/.test(value)) === true;
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
  const text = preservedText(pre, excluded).replace(/^(?:[ \t]*\n)+/, '');
  const code = text.slice(0, lastLineEnd(text));
  if (code === '') return null;
  const fence = '`'.repeat(Math.max(3, longestRun(code, '`') + 1));
  return [fence + languageOf(pre), ...code.split('\n'), fence];
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
  const open: { children: readonly TreeNode[]; nextIndex: number; isBlock: boolean }[] = [
    { children: shownChildrenOf(root), nextIndex: 0, isBlock: false },
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
      else if (display !== 'none' && !isLineNumbers(node)) {
        const isBlock = display !== 'inline' && display !== 'cell';
        if (isBlock) endLine();
        open.push({ children: shownChildrenOf(node), nextIndex: 0, isBlock });
      }
    }
  }
  return pieces.join('');
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
