/** MathML (Core) as TeX, for formulas that do not bring their own. */
import { joinTex, texSymbol } from '../../../domain/tex-names.ts';
import { attributeOf, type TreeNode } from '../../document/page-tree.ts';

const MAX_NODES = 5000;

/** Accents that `mover` puts over its base. */
const ACCENTS: Readonly<Record<string, string>> = {
  '¯': '\\overline',
  '‾': '\\overline',
  '^': '\\hat',
  '˙': '\\dot',
  '→': '\\vec',
  '\\to': '\\vec',
  '~': '\\tilde',
};

interface OpenElement {
  readonly node: TreeNode;
  readonly children: readonly TreeNode[];
  nextIndex: number;
  readonly parts: string[];
}

/** The TeX of a `math` element; null if it is too large. */
export function mathmlToTex(math: TreeNode): string | null {
  const open: OpenElement[] = [openElement(math)];
  for (let visited = 0; visited < MAX_NODES; visited++) {
    const frame = open.at(-1)!;
    const node = frame.children[frame.nextIndex++];
    if (node === undefined) {
      const tex = texOf(frame.node, frame.parts);
      open.pop();
      const outer = open.at(-1);
      if (outer === undefined) return tex.replace(/\s+/g, ' ').trim();
      outer.parts.push(tex);
    } else if (node.value !== undefined) {
      if (node.value.trim() !== '') frame.parts.push(node.value.replace(/\s+/g, ' ').trim());
    } else if (node.tagName !== undefined && !/^(?:annotation|annotation-xml|mphantom)$/.test(node.tagName))
      open.push(openElement(node));
  }
  return null;
}

const openElement = (node: TreeNode): OpenElement => ({
  node,
  children: node.childNodes ?? [],
  nextIndex: 0,
  parts: [],
});

/** @param parts the TeX of the children */
function texOf(node: TreeNode, parts: readonly string[]): string {
  const [a = '', b = '', c = ''] = parts;
  switch (node.tagName) {
    case 'mi': {
      const name = texName(parts.join(''));
      if (/^[a-z]{2,}$/i.test(name)) return `\\operatorname{${name}}`;
      return attributeOf(node, 'mathvariant') === 'bold' ? `\\mathbf{${name}}` : name;
    }
    case 'mn':
    case 'mo':
      return texName(parts.join(''));
    case 'mtext':
    case 'ms':
      return `\\text{${parts.join(' ')}}`;
    case 'mspace':
      return ' ';
    case 'mfrac':
      return `\\frac{${a}}{${b}}`;
    case 'msqrt':
      return `\\sqrt{${joinTex(parts)}}`;
    case 'mroot':
      return `\\sqrt[${b}]{${a}}`;
    case 'msup':
      return `${grouped(a)}^{${b}}`;
    case 'msub':
      return `${grouped(a)}_{${b}}`;
    case 'msubsup':
    case 'munderover':
      return `${grouped(a)}_{${b}}^{${c}}`;
    case 'munder':
      return `${grouped(a)}_{${b}}`;
    case 'mover':
      return ACCENTS[b] === undefined ? `${grouped(a)}^{${b}}` : `${ACCENTS[b]}{${a}}`;
    case 'mfenced':
      return `${attributeOf(node, 'open') ?? '('}${parts.join(', ')}${attributeOf(node, 'close') ?? ')'}`;
    case 'mtable':
      return parts.length === 1 ? a : `\\begin{matrix} ${parts.join(' \\\\ ')} \\end{matrix}`;
    case 'mtr':
      return parts.join(' & ');
    case 'mlabeledtr':
      return parts.slice(1).join(' & ');
    default:
      return joinTex(parts);
  }
}

const grouped = (tex: string): string => (tex.length > 1 && !/^\\[a-z]+$/i.test(tex) ? `{${tex}}` : tex);

function texName(text: string): string {
  return joinTex(Array.from(text, texSymbol));
}
