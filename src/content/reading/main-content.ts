import type { ContentSelection } from '../document/content-selection.ts';
import { compileSelector } from '../document/css-selector.ts';
import { type ElementNode, type TreeNode } from '../document/page-tree.ts';
import { type ParsedPage, rootElement } from '../document/parsed-page.ts';
import { besideArticle, concentration, narrowed } from './article-trim.ts';
import { contentRoot } from './content-root.ts';
import { findFrame } from './frame.ts';
import { frameReason } from './frame-rules.ts';
import { bodiesOf, repeatedItems } from './repeated-items.ts';
import { type Outline, outlineOf } from './outline.ts';
import { type PageSignals, pageSignals } from './page-signals.ts';

export type MainContentKind = 'article' | 'listing' | 'product' | 'discussion' | 'document' | 'other';

/** The main content of a page, and how it was found. */
export interface MainContent extends ContentSelection {
  readonly kind: MainContentKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** A CSS selector that finds the first root again. */
  readonly selector: string;
  /** The share of the visible text of the page that is in the selection, 0 to 1. */
  readonly shareOfText: number;
  /** How the root was found, in a word. */
  readonly method: string;
}

/** CSS selectors of the caller. */
export interface MainContentOptions {
  /** Elements that are the main content. They replace the root that would be found. */
  readonly include: readonly string[];
  /** Elements that are not part of it. */
  readonly exclude: readonly string[];
}

function signaledKind({ types, openGraphType }: PageSignals, url: string): string {
  if (types.has('qapage')) return 'qa';
  for (const t of ['discussionforumposting']) if (types.has(t)) return 'discussion';
  if (/(^|[./_-])(forums?|threads?|viewtopic|showthread)([./_?-]|$)/i.test(url)) return 'discussion';
  if (openGraphType.startsWith('product') && openGraphType !== 'product.group') return 'product';
  if ((types.has('product') || types.has('productgroup')) && !types.has('itemlist') && openGraphType !== 'product.group') return 'product';
  if (openGraphType === 'article') return 'article';
  for (const t of types) if (/article$|^blogposting$/.test(t)) return 'article';
  return 'other';
}

export const reasons = new Map<TreeNode, string>();

export function findMainContent(page: ParsedPage, options: MainContentOptions): MainContent {
  const { tree } = page;
  const root = (rootElement(tree) ?? tree.root) as ElementNode;
  reasons.clear();
  const outline = outlineOf(root, page.plainXml, new Set());
  const signals = pageSignals(tree.root);
  const kind = signaledKind(signals, page.urls.page);
  const excluded = new Set<TreeNode>();
  for (const n of signals.noscripts) { if ((n.childNodes ?? []).length === 0) continue; let t = 0; for (const c of n.childNodes!) if (c.tagName !== undefined) { t += outlineOf(c as ElementNode, false, excluded).prose[0]!; } if (t > outline.prose[0]! && t > 200) { for (const c of n.childNodes!) if (c.tagName !== undefined) { const o = outlineOf(c as ElementNode, false, new Set()); for (let i = 0; i < o.nodes.length; i++) { const r = o.nodes[i]!.tagName === 'header' ? 'header' : frameReason(o.nodes[i]!, {comments:true,product:false})?.what ?? null; if (r !== null) { excluded.add(o.nodes[i]!); reasons.set(o.nodes[i]!, r); } } } return { roots: n.childNodes!.filter((c) => c.tagName !== undefined), excluded, kind: 'other', confidence: .5, selector: 'noscript', shareOfText: 1, method: 'noscript' }; } }
  const frame = findFrame(outline, { comments: kind === 'discussion', product: kind === 'product' });
  for (const [n, r] of frame) { excluded.add(n); reasons.set(n, r); }
  const rest = outlineOf(root, page.plainXml, excluded);
  let { index: at, method } = contentRoot(rest);
  const E = process.env;
  const conc = concentration(rest, at); const pt = rest.prose[at]! / rest.text[at]!;
  if ((kind === 'article' || kind === 'other') && ((conc >= +(E.C ?? .6) && pt >= +(E.P ?? .5)) || (kind === 'article' && pt >= +(E.AP ?? .75) && conc >= +(E.AC ?? .2)))) {
    { const to = narrowed(rest, at, +(E.NA ?? .9)); if (to !== at) { at = to; method = 'prose'; } }
    for (const [n, r] of besideArticle(rest, at)) { excluded.add(rest.nodes[n]!); reasons.set(rest.nodes[n]!, 'art:' + r); }
  }
  for (const n of repeatedTexts(rest, at, kind === 'discussion' || kind === 'qa' ? 60 : 500)) { excluded.add(rest.nodes[n]!); reasons.set(rest.nodes[n]!, 'repeated'); }
  const roots = [rest.nodes[at]!];
  const groups = repeatedItems(rest).filter((g) => g.parent >= at && g.parent < rest.end[at]!);
  if (kind === 'discussion' || kind === 'qa') {
    const posts = groups.filter((g) => g.prose > .5 * rest.prose[at]! && !/^(p|li|tr|td)$/.test(rest.nodes[g.members[0]!]!.tagName) || (rest.nodes[g.members[0]!]!.tagName === 'li' && g.prose > .5 * rest.prose[at]!)).sort((a, b) => b.prose - a.prose || b.parent - a.parent)[0];
    const bodies = posts === undefined ? null : bodiesOf(rest, posts);
    if (bodies !== null) for (const [member, found] of bodies) {
      if (found.length === 0) continue;
      const keep = new Set<number>();
      for (const f of found) for (let p = f; p !== member; p = rest.parent[p]!) keep.add(p);
      for (let n = member + 1; n < rest.end[member]!; ) {
        if (found.includes(n)) n = rest.end[n]!;
        else if (keep.has(n)) n++;
        else { excluded.add(rest.nodes[n]!); reasons.set(rest.nodes[n]!, 'not body'); n = rest.end[n]!; }
      }
    }
  }
  return {
    roots,
    excluded,
    kind: kind as MainContentKind,
    confidence: 0.5,
    selector: '',
    shareOfText: 1,
    method,
  };
}

function repeatedTexts({ nodes, end, text, hash, parent }: Outline, root: number, min: number): number[] {
  const seen = new Set<string>();
  const found: number[] = [];
  for (let n = root + 1; n < end[root]!; n++) {
    if (text[n]! < min || nodes[n]!.tagName === 'pre') continue;
    const outer = parent[n]!;
    if (text[outer] === text[n] && hash[outer] === hash[n]) continue;
    const key = `${hash[n]} ${text[n]}`;
    if (seen.has(key)) { found.push(n); n = end[n]! - 1; }
    else seen.add(key);
  }
  return found;
}
