/** Mail addresses that Cloudflare hides in the HTML of a site, and that a script of its own writes back in browsers. */
import { attributeOf, childrenOf, type TreeNode } from './page-tree.ts';

/** A page without these has no hidden addresses. */
export const HIDDEN_ADDRESSES = /data-cfemail|\/cdn-cgi\/l\/email-protection/i;
/** A lure for harvesters of addresses: the fragment has the address, and the page behind it is the same on all sites. */
const LURE = /^(?:(?:https?:)?\/\/[^/?#]*)?\/*cdn-cgi\/l\/email-protection\/?(?:\?[^#]*)?(?:#(.*))?$/is;
const HEX = /^(?:[0-9a-f]{2}){2,4096}/i;

/**
 * Writes the addresses into the tree, as the script of Cloudflare does (`email-decode.min.js`), so that the page is the same
 * at each visit: the key differs each time. Links to the lure become `mailto:`, or no links.
 */
export function revealAddresses(root: TreeNode): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.attrs !== undefined && node.attrs.length > 0) revealIn(node);
    if (node.content !== undefined) open.push(node.content);
    for (const child of childrenOf(node)) if (child.value === undefined) open.push(child);
  }
}

function revealIn(element: TreeNode): void {
  const written = attributeOf(element, 'data-cfemail');
  const address = written === null ? null : decodeAddress(written);
  if (address !== null) {
    removeAttribute(element, 'data-cfemail');
    const text: TreeNode = { nodeName: '#text', value: address, parentNode: element };
    element.childNodes?.splice(0, element.childNodes.length, text);
  }
  const lure = LURE.exec(attributeOf(element, 'href')?.trim() ?? '');
  if (lure === null) return;
  const linked = decodeAddress(lure[1] ?? '') ?? address;
  const others = removeAttribute(element, 'href');
  if (linked !== null) others.push({ name: 'href', value: `mailto:${linked}` });
}

/** The bytes of an address in UTF-8, each XORed with the first byte, as hexadecimal digits; null: there are none. */
function decodeAddress(written: string): string | null {
  const digits = HEX.exec(written.trim())?.[0];
  if (digits === undefined) return null;
  const [key, ...bytes] = Buffer.from(digits, 'hex');
  const address = Buffer.from(bytes.map((byte) => byte ^ key!)).toString();
  return address.trim() === '' ? null : address;
}

/** @returns the other attributes of the element */
function removeAttribute(element: TreeNode, name: string) {
  const attrs = element.attrs as { name: string; value: string }[];
  attrs.splice(0, attrs.length, ...attrs.filter((attribute) => attribute.name !== name));
  return attrs;
}
