import { attributeOf, childrenOf, matchesIn, matchesOf, nameOf, parentOf } from './dom-access.ts';

/** Names that need no escape in a selector. */
const PLAIN_NAME = /^[A-Za-z_][\w-]{0,40}$/;
/** Classes that describe the state or the look of an element: they change without the page. */
const STATE_OR_LOOK =
  /^(is-|has-|js-)|^(active|selected|hover|focus|open|opened|closed|current|visited|first|last|odd|even|show|hidden|visible|loaded|lazy|lazyloaded|flex|grid|block|inline|relative|absolute|container|row|clearfix)$|^-?([mp][trblxyse]?|w|h|gap|text|bg|font|flex|grid|col|border|rounded|items|justify|leading|tracking|shadow|space|z|d)-/;
/** Attributes that say what an element is, the best first. */
const MEANING = ['data-testid', 'data-test', 'data-qa', 'itemprop', 'name', 'rel'];
const PLAIN_VALUE = /^[\w:./ -]{1,60}$/;
const MAX_STEPS = 40;

/**
 * A short selector for an element of the page that is likely to work after the page has changed.
 * @param list false: finds this element and no other one; true: also finds those that are like it
 */
export function proposeSelector(page: Document, element: Element, list: boolean): string {
  const path: Element[] = [];
  for (let at: Element | null = element; at !== null && path.length < MAX_STEPS; at = parentOf(at))
    path.push(at);
  return (list ? listSelector(page, path) : null) ?? uniqueSelector(page, path);
}

/** A name for what was picked: by its meaning, its class or its tag, in `snake_case`. */
export function proposeName(element: Element, attribute: string | null): string {
  const meaning = MEANING.slice(0, -1)
    .map((name) => attributeOf(element, name))
    .find((value) => value !== null && /^[A-Za-z]/.test(value));
  const tag = nameOf(element);
  const text = meaning ?? stableClasses(element)[0] ?? (/^h[1-6]$/.test(tag) ? 'title' : tag);
  const name = text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 40);
  return attribute === null || tag === 'img'
    ? name || 'field'
    : `${name || 'field'}_${attribute.replace(/\W+/g, '_')}`;
}

/** @param path the element and its ancestors */
function uniqueSelector(page: Document, path: readonly Element[]): string {
  const count = (selector: string) => matchesOf(page, selector)?.length ?? 0;
  const own = ownSelectors(path[0]!);
  const unique = own.find((selector) => count(selector) === 1);
  if (unique !== undefined) return unique;
  let steps = ` > ${nthOfType(path[0]!)}`;
  for (const ancestor of path.slice(1)) {
    const base = ownSelectors(ancestor).find((selector) => count(selector) === 1);
    if (base !== undefined) {
      const short = own.map((selector) => `${base} ${selector}`).find((selector) => count(selector) === 1);
      return short ?? base + steps;
    }
    steps = ` > ${nthOfType(ancestor)}${steps}`;
  }
  return `:root${steps}`;
}

/** @returns null: nothing on the page is like it */
function listSelector(page: Document, path: readonly Element[]): string | null {
  const count = (selector: string) => matchesOf(page, selector)?.length ?? 0;
  // The tag alone finds too much.
  const telling = (element: Element) => ownSelectors(element).filter((own) => own !== nameOf(element));
  const own = telling(path[0]!).find((selector) => count(selector) > 1);
  if (own !== undefined) return own;
  for (const [index, ancestor] of path.entries()) {
    const parent = path[index + 1];
    if (parent === undefined || nameOf(parent) === 'html') return null;
    if (!isRepeated(ancestor, parent)) continue;
    const items =
      telling(ancestor).find((selector) => count(selector) > 1) ??
      `${uniqueSelector(page, path.slice(index + 1))} > ${nameOf(ancestor)}`;
    return index === 0 ? items : items + innerSteps(path.slice(0, index + 1));
  }
  return null;
}

/** Whether siblings have the same tag, and a class in common if it has classes. */
function isRepeated(element: Element, parent: Element): boolean {
  const classes = stableClasses(element);
  return childrenOf(parent).some(
    (sibling) =>
      sibling !== element &&
      nameOf(sibling) === nameOf(element) &&
      (classes.length === 0 || stableClasses(sibling).some((name) => classes.includes(name))),
  );
}

/** The steps from an item, the last of the path, to the element, the first. */
function innerSteps(path: readonly Element[]): string {
  const item = path.at(-1)!;
  const short = ownSelectors(path[0]!).find((selector) => matchesIn(item, selector).length === 1);
  if (short !== undefined) return ` ${short}`;
  return path
    .slice(0, -1)
    .map((element) => ` > ${nthOfType(element)}`)
    .toReversed()
    .join('');
}

/** Selectors of the element alone, the best first; the last one is its tag. */
function ownSelectors(element: Element): readonly string[] {
  const tag = CSS.escape(nameOf(element));
  const id = attributeOf(element, 'id');
  const selectors: string[] = [];
  if (id !== null && PLAIN_NAME.test(id) && !isGenerated(id)) selectors.push(`#${id}`);
  for (const name of MEANING) {
    const value = attributeOf(element, name);
    if (value !== null && PLAIN_VALUE.test(value) && !isGenerated(value))
      selectors.push(`${tag}[${name}="${value}"]`);
  }
  selectors.push(...stableClasses(element).map((name) => `${tag}.${name}`), tag);
  return selectors;
}

const stableClasses = (element: Element): readonly string[] =>
  (attributeOf(element, 'class') ?? '')
    .split(/\s+/)
    .filter((name) => PLAIN_NAME.test(name) && !STATE_OR_LOOK.test(name) && !isGenerated(name));

/** Whether a name looks as if a program had made it, such as `css-1x2y3z`: it changes with the next build. */
function isGenerated(name: string): boolean {
  if (/^(css|sc|jss|emotion|svelte)-/i.test(name)) return true;
  return name.split(/[-_:./ ]+/).some((word) => {
    const mixed = word.length >= 5 && /\d/.test(word) && /[a-z]/i.test(word);
    const cases = word.replace(/[^A-Za-z]/g, '').match(/[a-z][A-Z]/g) ?? [];
    return mixed || /^\d{4,}$/.test(word) || cases.length >= 3;
  });
}

function nthOfType(element: Element): string {
  const tag = nameOf(element);
  const parent = parentOf(element);
  const alike = parent === null ? [element] : childrenOf(parent).filter((other) => nameOf(other) === tag);
  return alike.length === 1
    ? CSS.escape(tag)
    : `${CSS.escape(tag)}:nth-of-type(${alike.indexOf(element) + 1})`;
}
