/** A compound selector, and the combinator before it; null: the first of its complex selector. */
interface CompoundSelector {
  readonly css: string;
  readonly combinator: ' ' | '>' | '+' | '~' | null;
}

/** The complex selectors of a list, each as its compound selectors from left to right. */
export type PlainSelectorList = readonly (readonly CompoundSelector[])[];

const NAME = String.raw`-?[A-Za-z_\u00a0-\uffff][\w\u00a0-\uffff-]*`;
const ATTRIBUTE = String.raw`\[\s*${NAME}\s*(?:[~|^$*]?=\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|${NAME})\s*)?\]`;
const COMPOUND = new RegExp(String.raw`(?:\*|${NAME})?(?:[#.]${NAME}|${ATTRIBUTE})*`, 'y');
const COMBINATOR = /\s*([>+~])\s*|\s+/y;

/**
 * Parses a selector that matches the same in Playwright and in `querySelector`: names, classes, ids, attributes and
 * combinators (Selectors 4). null: it has more, such as pseudo-classes or escapes, or it is not CSS.
 * @param selector with the prefix of its engine
 */
export function parsePlainSelector(selector: string): PlainSelectorList | null {
  if (!selector.startsWith('css=')) return null;
  const text = selector.slice('css='.length).trim();
  const list: CompoundSelector[][] = [[]];
  let combinator: CompoundSelector['combinator'] = null;
  for (let index = 0; ; ) {
    COMPOUND.lastIndex = index;
    const css = COMPOUND.exec(text)?.[0] ?? '';
    if (css === '') return null;
    list.at(-1)!.push({ css, combinator });
    index += css.length;
    if (index === text.length) return list;
    const comma = /^\s*,\s*/.exec(text.slice(index))?.[0];
    if (comma !== undefined) {
      index += comma.length;
      list.push([]);
      combinator = null;
      continue;
    }
    COMBINATOR.lastIndex = index;
    const between = COMBINATOR.exec(text);
    if (between === null) return null;
    index += between[0].length;
    combinator = (between[1] ?? ' ') as CompoundSelector['combinator'];
  }
}
