/** Boxes with a remark, a hint or a warning, which documentation has beside its text. Markdown has quotes for them. */
import { attributeOf, type TreeNode } from '../../document/page-tree.ts';
import { classTokens } from './code-block.ts';

/** Sphinx, MkDocs, GitHub, Docusaurus, Obsidian, VitePress, Asciidoctor, Starlight. */
const BOXES = new Set(
  'admonition callout markdown-alert theme-admonition custom-block admonitionblock starlight-aside'.split(
    ' ',
  ),
);
const TITLE =
  /^(?:admonition|callout|markdown-alert|custom-block)-title$|^starlight-aside__title$|^admonitionHeading_/;
/** Bootstrap: `alert alert-warning`. */
const ALERT_KIND = /^alert-{1,2}(?:primary|secondary|info|note|tip|success|warning|danger)$/;

export function isCallout(node: TreeNode): boolean {
  if (attributeOf(node, 'class') === null) return false;
  const tokens = classTokens(node);
  if (tokens.some((token) => BOXES.has(token))) return true;
  return tokens.includes('alert') && tokens.some((token) => ALERT_KIND.test(token));
}

/** Its label: "Note", or a title of its own. */
export function isCalloutTitle(node: TreeNode): boolean {
  return attributeOf(node, 'class') !== null && classTokens(node).some((token) => TITLE.test(token));
}
