import { isForeign, parentOf, type TreeNode } from './page-tree.ts';

type Element = TreeNode & { readonly tagName: string };

const CAN_BE_DISABLED = new Set(['button', 'input', 'select', 'textarea', 'fieldset', 'optgroup', 'option']);
/** Types of `input` to which `readonly` applies (HTML §4.10.5.1); an unknown type is `text`. */
const NOT_EDITED = new Set([
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
const NEVER_REQUIRED = new Set(['hidden', 'range', 'color', 'submit', 'image', 'reset', 'button']);

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
      nameOf(element) === 'input' ? !isRequired(element) : takesRequired(element) && !isRequired(element),
    'read-write': isEdited,
    'read-only': (element: Element) => !isForeign(element) && !isEdited(element),
    checked: isChecked,
    // Of jQuery.
    selected: (element: Element) => nameOf(element) === 'option' && isSelected(element),
    empty: ({ childNodes }: Element) => childNodes!.every((child) => !isElement(child) && !child.value),
  },
);

function isElement(node: TreeNode): node is Element {
  return node.tagName !== undefined;
}

function attribute(element: TreeNode, name: string): string | undefined {
  return element.attrs?.find((attr) => attr.name === name)?.value;
}

function has(element: TreeNode, name: string): boolean {
  return attribute(element, name) !== undefined;
}

function typeOf(input: Element): string {
  return attribute(input, 'type')?.toLowerCase() ?? 'text';
}

/** The name of an element of HTML; '' of SVG and MathML. */
function nameOf(element: Element): string {
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
  if (element.tagName === 'a') return has(element, 'href');
  return element.tagName === 'area' && has(element, 'href');
}

function canBeDisabled(element: Element): boolean {
  return CAN_BE_DISABLED.has(nameOf(element));
}

function isDisabled(element: Element): boolean {
  if (!canBeDisabled(element)) return false;
  if (has(element, 'disabled')) return true;
  if (element.tagName === 'optgroup') return false;
  if (element.tagName === 'option') {
    const group = closest(element, 'optgroup');
    return group !== null && has(group, 'disabled');
  }
  let inside: TreeNode = element;
  for (const at of ancestors(element)) {
    if (at.tagName === 'fieldset' && has(at, 'disabled') && inside !== firstLegend(at)) return true;
    inside = at;
  }
  return false;
}

function firstLegend(fieldset: TreeNode): TreeNode | undefined {
  return fieldset.childNodes!.find((child) => child.tagName === 'legend');
}

function takesRequired(element: Element): boolean {
  const name = nameOf(element);
  if (name === 'input') return !NEVER_REQUIRED.has(typeOf(element));
  return name === 'select' || name === 'textarea';
}

function isRequired(element: Element): boolean {
  return takesRequired(element) && has(element, 'required');
}

function isEdited(element: Element): boolean {
  if (isForeign(element)) return false;
  const { tagName } = element;
  if (tagName === 'input' || tagName === 'textarea') {
    if (tagName === 'input' && NOT_EDITED.has(typeOf(element))) return false;
    return !has(element, 'readonly') && !isDisabled(element);
  }
  for (let at: TreeNode | null = element; at; at = parentOf(at)) {
    const editable = attribute(at, 'contenteditable')?.toLowerCase();
    if (editable === '' || editable === 'true' || editable === 'plaintext-only') return true;
    if (editable === 'false') return false;
  }
  return false;
}

function isChecked(element: Element): boolean {
  if (nameOf(element) === 'option') return isSelected(element);
  if (nameOf(element) !== 'input' || !has(element, 'checked')) return false;
  const type = typeOf(element);
  return type === 'checkbox' || (type === 'radio' && isLastOfGroup(element));
}

/** Of the radio buttons of a group that say `checked`, the last one is. */
function isLastOfGroup(radio: Element): boolean {
  const name = attribute(radio, 'name');
  if (!name) return true;
  const form = formOf(radio);
  let last: TreeNode | null = null;
  for (const node of below(treeOf(radio))) {
    if (node.tagName !== 'input' || !has(node, 'checked') || attribute(node, 'name') !== name) continue;
    if (typeOf(node as Element) === 'radio' && formOf(node) === form) last = node;
  }
  return last === radio;
}

/** The form that a control belongs to: the one that it names, else the one that it stands in. */
function formOf(control: TreeNode): TreeNode | null {
  const id = attribute(control, 'form');
  if (id === undefined) return closest(control, 'form');
  for (const node of below(treeOf(control)))
    if (attribute(node, 'id') === id) return node.tagName === 'form' ? node : null;
  return null;
}

/** The document, the shadow root or the content of a template. */
function treeOf(node: TreeNode): TreeNode {
  let at = node;
  while (at.parentNode && at.nodeName !== '#document-fragment') at = at.parentNode;
  return at;
}

function* below(node: TreeNode): Generator<TreeNode> {
  for (const child of node.childNodes ?? []) {
    yield child;
    yield* below(child);
  }
}

/** Selectedness (HTML §4.10.10): of a `select` that shows one line, exactly one option has it. */
function isSelected(option: Element): boolean {
  const select = closest(option, 'select');
  if (select === null || has(select, 'multiple')) return has(option, 'selected');
  let chosen = chosenOf.get(select);
  if (chosen === undefined) {
    chosen = chosenIn(select);
    chosenOf.set(select, chosen);
  }
  return option === chosen;
}

/** By `select`, which may have thousands of options. */
const chosenOf = new WeakMap<TreeNode, Element | null>();

function chosenIn(select: TreeNode): Element | null {
  const options = [...below(select)].filter((node): node is Element => node.tagName === 'option');
  const last = options.findLast((one) => has(one, 'selected'));
  if (last !== undefined) return last;
  const size = Number.parseInt(attribute(select, 'size') ?? '', 10);
  return size > 1 ? null : (options.find((one) => !isDisabled(one)) ?? null);
}
