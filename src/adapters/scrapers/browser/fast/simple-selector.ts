/** One compound selector, and how it stands to the one before it; null: it is the first. */
export interface Compound {
  readonly css: string;
  readonly combinator: ' ' | '>' | '+' | '~' | null;
}

/** The alternatives of a selector list, each from left to right. */
export type SimpleSelector = readonly (readonly Compound[])[];

const NAME = String.raw`-?[A-Za-z_\u00a0-\uffff][\w\u00a0-\uffff-]*`;
const ATTRIBUTE = String.raw`\[\s*${NAME}\s*(?:[~|^$*]?=\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|${NAME})\s*)?\]`;
const COMPOUND = new RegExp(String.raw`(?:\*|${NAME})?(?:[#.]${NAME}|${ATTRIBUTE})*`, 'y');
const COMBINATOR = /\s*([>+~])\s*|\s+/y;

/**
 * Reads what every engine of selectors reads alike: names, classes, ids, attributes and combinators (Selectors 4). null: there
 * is more in it, pseudo-classes and escapes say, or it is none of CSS.
 * @param selector with the prefix of its engine
 */
export function simpleSelector(selector: string): SimpleSelector | null {
  if (!selector.startsWith('css=')) return null;
  const text = selector.slice('css='.length).trim();
  const list: Compound[][] = [[]];
  let combinator: Compound['combinator'] = null;
  for (let at = 0; ; ) {
    COMPOUND.lastIndex = at;
    const css = COMPOUND.exec(text)?.[0] ?? '';
    if (css === '') return null;
    list.at(-1)!.push({ css, combinator });
    at += css.length;
    if (at === text.length) return list;
    const comma = /^\s*,\s*/.exec(text.slice(at))?.[0];
    if (comma !== undefined) {
      at += comma.length;
      list.push([]);
      combinator = null;
      continue;
    }
    COMBINATOR.lastIndex = at;
    const between = COMBINATOR.exec(text);
    if (between === null) return null;
    at += between[0].length;
    combinator = (between[1] ?? ' ') as Compound['combinator'];
  }
}
