import { isForeign, parentOf, type TreeNode } from './page-tree.ts';

type Element = TreeNode & { readonly tagName: string };

const DISABLEABLE_ELEMENTS = new Set([
  'button',
  'input',
  'select',
  'textarea',
  'fieldset',
  'optgroup',
  'option',
]);
/** Types of `input` to which `readonly` applies (HTML §4.10.5.1); an unknown type is `text`. */
const NON_EDITABLE_TYPES = new Set([
  'hidden',
  'range',
  'color',
  'checkbox',
  'radio',
  'file',
  'submit',
  'image',
  'reset',
  'button',
]);
/** Types of `input` to which `required` does not apply. */
const NEVER_REQUIRED_TYPES = new Set(['hidden', 'range', 'color', 'submit', 'image', 'reset', 'button']);

/**
 * Pseudo-classes of forms and links as the HTML standard defines them (§4.16.3), and `:empty` of Selectors 4 as browsers
 * read it: white space is something. Of a document as it was parsed, in which nobody has typed or clicked. The selector
 * package has simpler ones under the same names.
 */
export const PSEUDO_CLASSES: Readonly<Record<string, (element: Element) => boolean>> = Object.assign(
  Object.create(null),
  {
    'any-link': isLink,
    // Which links were visited no page may know; here none was.
    link: isLink,
    disabled: isDisabled,
    enabled: (element: Element) => canBeDisabled(element) && !isDisabled(element),
    required: isRequired,
    // Of `input` as browsers do: those of types that cannot be required, too.
    optional: (element: Element) =>
      htmlName(element) === 'input' ? !isRequired(element) : takesRequired(element) && !isRequired(element),
    'read-write': isReadWrite,
    'read-only': (element: Element) => !isForeign(element) && !isReadWrite(element),
    checked: isChecked,
    // Of jQuery.
    selected: (element: Element) => htmlName(element) === 'option' && isSelectedOption(element),
    empty: ({ childNodes }: Element) => childNodes!.every((child) => !isElement(child) && !child.value),
  },
);

function isElement(node: TreeNode): node is Element {
  return node.tagName !== undefined;
}

function attributeValue(element: TreeNode, name: string): string | undefined {
  return element.attrs?.find((attr) => attr.name === name)?.value;
}

function hasAttribute(element: TreeNode, name: string): boolean {
  return attributeValue(element, name) !== undefined;
}

function inputType(input: Element): string {
  return attributeValue(input, 'type')?.toLowerCase() ?? 'text';
}

/** The name of an element of HTML; '' of SVG and MathML. */
function htmlName(element: Element): string {
  return isForeign(element) ? '' : element.tagName;
}

function* ancestors(node: TreeNode): Generator<TreeNode> {
  for (let at = node.parentNode; at; at = at.parentNode) yield at;
}

/** The nearest one outwards. */
function closest(node: TreeNode, tagName: string): TreeNode | null {
  for (const at of ancestors(node)) if (at.tagName === tagName) return at;
  return null;
}

function isLink(element: Element): boolean {
  if (element.tagName === 'a') return hasAttribute(element, 'href');
  return element.tagName === 'area' && hasAttribute(element, 'href');
}

function canBeDisabled(element: Element): boolean {
  return DISABLEABLE_ELEMENTS.has(htmlName(element));
}

function isDisabled(element: Element): boolean {
  if (!canBeDisabled(element)) return false;
  if (hasAttribute(element, 'disabled')) return true;
  if (element.tagName === 'optgroup') return false;
  if (element.tagName === 'option') {
    const group = closest(element, 'optgroup');
    return group !== null && hasAttribute(group, 'disabled');
  }
  let inside: TreeNode = element;
  for (const at of ancestors(element)) {
    if (at.tagName === 'fieldset' && hasAttribute(at, 'disabled') && inside !== firstLegend(at)) return true;
    inside = at;
  }
  return false;
}

function firstLegend(fieldset: TreeNode): TreeNode | undefined {
  return fieldset.childNodes!.find((child) => child.tagName === 'legend');
}

function takesRequired(element: Element): boolean {
  const name = htmlName(element);
  if (name === 'input') return !NEVER_REQUIRED_TYPES.has(inputType(element));
  return name === 'select' || name === 'textarea';
}

function isRequired(element: Element): boolean {
  return takesRequired(element) && hasAttribute(element, 'required');
}

function isReadWrite(element: Element): boolean {
  if (isForeign(element)) return false;
  const { tagName } = element;
  if (tagName === 'input' || tagName === 'textarea') {
    if (tagName === 'input' && NON_EDITABLE_TYPES.has(inputType(element))) return false;
    return !hasAttribute(element, 'readonly') && !isDisabled(element);
  }
  for (let at: TreeNode | null = element; at; at = parentOf(at)) {
    const editable = attributeValue(at, 'contenteditable')?.toLowerCase();
    if (editable === '' || editable === 'true' || editable === 'plaintext-only') return true;
    if (editable === 'false') return false;
  }
  return false;
}

function isChecked(element: Element): boolean {
  if (htmlName(element) === 'option') return isSelectedOption(element);
  if (htmlName(element) !== 'input' || !hasAttribute(element, 'checked')) return false;
  const type = inputType(element);
  return type === 'checkbox' || (type === 'radio' && isLastCheckedOfGroup(element));
}

/** Of the radio buttons of a group that say `checked`, the last one is. */
function isLastCheckedOfGroup(radio: Element): boolean {
  const name = attributeValue(radio, 'name');
  if (!name) return true;
  const form = formOwner(radio);
  let last: TreeNode | null = null;
  for (const node of descendants(rootOf(radio))) {
    if (node.tagName !== 'input' || !hasAttribute(node, 'checked') || attributeValue(node, 'name') !== name)
      continue;
    if (inputType(node as Element) === 'radio' && formOwner(node) === form) last = node;
  }
  return last === radio;
}

/** The form that a control belongs to: the one that it names, else the one that it stands in. */
function formOwner(control: TreeNode): TreeNode | null {
  const id = attributeValue(control, 'form');
  if (id === undefined) return closest(control, 'form');
  for (const node of descendants(rootOf(control)))
    if (attributeValue(node, 'id') === id) return node.tagName === 'form' ? node : null;
  return null;
}

/** The document, the shadow root or the content of a template. */
function rootOf(node: TreeNode): TreeNode {
  let at = node;
  while (at.parentNode && at.nodeName !== '#document-fragment') at = at.parentNode;
  return at;
}

function* descendants(node: TreeNode): Generator<TreeNode> {
  for (const child of node.childNodes ?? []) {
    yield child;
    yield* descendants(child);
  }
}

/** Selectedness (HTML §4.10.10): of a `select` that shows one line, exactly one option has it. */
function isSelectedOption(option: Element): boolean {
  const select = closest(option, 'select');
  if (select === null || hasAttribute(select, 'multiple')) return hasAttribute(option, 'selected');
  let chosen = selectedOptions.get(select);
  if (chosen === undefined) {
    chosen = findSelectedOption(select);
    selectedOptions.set(select, chosen);
  }
  return option === chosen;
}

/** By `select`, which may have thousands of options. */
const selectedOptions = new WeakMap<TreeNode, Element | null>();

function findSelectedOption(select: TreeNode): Element | null {
  const options = [...descendants(select)].filter((node): node is Element => node.tagName === 'option');
  const last = options.findLast((one) => hasAttribute(one, 'selected'));
  if (last !== undefined) return last;
  const size = Number.parseInt(attributeValue(select, 'size') ?? '', 10);
  return size > 1 ? null : (options.find((one) => !isDisabled(one)) ?? null);
}
