import { type ElementNode, isForeign, parentOf, type TreeNode } from './page-tree.ts';

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
 * Pseudo-classes of forms and links by the HTML standard (§4.16.3), and `:empty` as browsers implement it: an element with
 * white space is not empty. They apply to a freshly parsed document, in which nobody has typed or clicked. Those of
 * css-select with the same names are simpler.
 */
export const PSEUDO_CLASSES: Readonly<Record<string, (element: ElementNode) => boolean>> = Object.assign(
  Object.create(null),
  {
    'any-link': isLink,
    // `:link` would exclude visited links. Here, no link has been visited.
    link: isLink,
    disabled: isDisabled,
    enabled: (element: ElementNode) => canBeDisabled(element) && !isDisabled(element),
    required: isRequired,
    // As in browsers, this includes inputs of types that cannot be required.
    optional: (element: ElementNode) =>
      htmlName(element) === 'input' ? !isRequired(element) : takesRequired(element) && !isRequired(element),
    'read-write': isReadWrite,
    'read-only': (element: ElementNode) => !isForeign(element) && !isReadWrite(element),
    checked: isChecked,
    // A pseudo-class of jQuery.
    selected: (element: ElementNode) => htmlName(element) === 'option' && isSelectedOption(element),
    empty: ({ childNodes }: ElementNode) => childNodes!.every((child) => !isElement(child) && !child.value),
  },
);

function isElement(node: TreeNode): node is ElementNode {
  return node.tagName !== undefined;
}

function attributeValue(element: TreeNode, name: string): string | undefined {
  return element.attrs?.find((attr) => attr.name === name)?.value;
}

function hasAttribute(element: TreeNode, name: string): boolean {
  return attributeValue(element, name) !== undefined;
}

function inputType(input: ElementNode): string {
  return attributeValue(input, 'type')?.toLowerCase() ?? 'text';
}

/** The name of an HTML element; empty for SVG and MathML. */
function htmlName(element: ElementNode): string {
  return isForeign(element) ? '' : element.tagName;
}

function* ancestors(node: TreeNode): Generator<TreeNode> {
  for (let ancestor = node.parentNode; ancestor; ancestor = ancestor.parentNode) yield ancestor;
}

/** The nearest ancestor of this name. */
function closest(node: TreeNode, tagName: string): TreeNode | null {
  for (const ancestor of ancestors(node)) if (ancestor.tagName === tagName) return ancestor;
  return null;
}

function isLink(element: ElementNode): boolean {
  if (element.tagName === 'a') return hasAttribute(element, 'href');
  return element.tagName === 'area' && hasAttribute(element, 'href');
}

function canBeDisabled(element: ElementNode): boolean {
  return DISABLEABLE_ELEMENTS.has(htmlName(element));
}

function isDisabled(element: ElementNode): boolean {
  if (!canBeDisabled(element)) return false;
  if (hasAttribute(element, 'disabled')) return true;
  if (element.tagName === 'optgroup') return false;
  if (element.tagName === 'option') {
    const group = closest(element, 'optgroup');
    return group !== null && hasAttribute(group, 'disabled');
  }
  // A disabled fieldset does not disable the controls in its first legend.
  let child: TreeNode = element;
  for (const ancestor of ancestors(element)) {
    const disabledFieldset = ancestor.tagName === 'fieldset' && hasAttribute(ancestor, 'disabled');
    if (disabledFieldset && child !== firstLegend(ancestor)) return true;
    child = ancestor;
  }
  return false;
}

function firstLegend(fieldset: TreeNode): TreeNode | undefined {
  return fieldset.childNodes!.find((child) => child.tagName === 'legend');
}

function takesRequired(element: ElementNode): boolean {
  const name = htmlName(element);
  if (name === 'input') return !NEVER_REQUIRED_TYPES.has(inputType(element));
  return name === 'select' || name === 'textarea';
}

function isRequired(element: ElementNode): boolean {
  return takesRequired(element) && hasAttribute(element, 'required');
}

function isReadWrite(element: ElementNode): boolean {
  if (isForeign(element)) return false;
  const { tagName } = element;
  if (tagName === 'input' || tagName === 'textarea') {
    if (tagName === 'input' && NON_EDITABLE_TYPES.has(inputType(element))) return false;
    return !hasAttribute(element, 'readonly') && !isDisabled(element);
  }
  for (let node: TreeNode | null = element; node; node = parentOf(node)) {
    const editable = attributeValue(node, 'contenteditable')?.toLowerCase();
    if (editable === '' || editable === 'true' || editable === 'plaintext-only') return true;
    if (editable === 'false') return false;
  }
  return false;
}

function isChecked(element: ElementNode): boolean {
  if (htmlName(element) === 'option') return isSelectedOption(element);
  if (htmlName(element) !== 'input' || !hasAttribute(element, 'checked')) return false;
  const type = inputType(element);
  return type === 'checkbox' || (type === 'radio' && isLastCheckedOfGroup(element));
}

/** If several radio buttons of a group have the attribute `checked`, the last one is checked. */
function isLastCheckedOfGroup(radio: ElementNode): boolean {
  const name = attributeValue(radio, 'name');
  if (!name) return true;
  const form = formOwner(radio);
  let last: TreeNode | null = null;
  for (const node of descendants(rootOf(radio))) {
    if (node.tagName !== 'input' || !hasAttribute(node, 'checked') || attributeValue(node, 'name') !== name)
      continue;
    if (inputType(node as ElementNode) === 'radio' && formOwner(node) === form) last = node;
  }
  return last === radio;
}

/** The form that a control belongs to: the one named in its attribute `form`, else the one around it. */
function formOwner(control: TreeNode): TreeNode | null {
  const id = attributeValue(control, 'form');
  if (id === undefined) return closest(control, 'form');
  for (const node of descendants(rootOf(control)))
    if (attributeValue(node, 'id') === id) return node.tagName === 'form' ? node : null;
  return null;
}

/** The document, shadow root or content of a template that contains the node. */
function rootOf(node: TreeNode): TreeNode {
  let root = node;
  while (root.parentNode && root.nodeName !== '#document-fragment') root = root.parentNode;
  return root;
}

function* descendants(node: TreeNode): Generator<TreeNode> {
  for (const child of node.childNodes ?? []) {
    yield child;
    yield* descendants(child);
  }
}

/** Whether an option is selected (HTML §4.10.10). Of a `select` that shows one line, exactly one option is. */
function isSelectedOption(option: ElementNode): boolean {
  const select = closest(option, 'select');
  if (select === null || hasAttribute(select, 'multiple')) return hasAttribute(option, 'selected');
  let selected = selectedOptions.get(select);
  if (selected === undefined) {
    selected = findSelectedOption(select);
    selectedOptions.set(select, selected);
  }
  return option === selected;
}

/** Results of `findSelectedOption` by `select`, which may have thousands of options. */
const selectedOptions = new WeakMap<TreeNode, ElementNode | null>();

function findSelectedOption(select: TreeNode): ElementNode | null {
  const options = [...descendants(select)].filter((node): node is ElementNode => node.tagName === 'option');
  const lastSelected = options.findLast((option) => hasAttribute(option, 'selected'));
  if (lastSelected !== undefined) return lastSelected;
  const size = Number.parseInt(attributeValue(select, 'size') ?? '', 10);
  return size > 1 ? null : (options.find((option) => !isDisabled(option)) ?? null);
}
