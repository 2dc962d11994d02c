import { joinTex, texSymbol } from '../../domain/tex-names.ts';
import { childOf, elementsOf, type XmlElement } from './xml-tree.ts';

/** Operators over several lines of a formula whose character is not given (ECMA-376 part 1, §22.1.2.70). */
const DEFAULT_NARY = '∫';
/** Functions that TeX has a name for. */
const FUNCTIONS = new Set(
  'sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln lg exp lim limsup liminf max min sup inf det dim ker gcd arg deg hom Pr'.split(
    ' ',
  ),
);
/** Accents by their combining character (§22.1.2.1). */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '\\grave',
  '\u0301': '\\acute',
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u0305': '\\overline',
  '\u0306': '\\breve',
  '\u0307': '\\dot',
  '\u0308': '\\ddot',
  '\u030c': '\\check',
  '\u0332': '\\underline',
  '\u20d7': '\\vec',
  '\u20d6': '\\overleftarrow',
  '¯': '\\bar',
  '^': '\\hat',
  '~': '\\tilde',
};
/** Characters over or under a group (§22.1.2.41). */
const GROUPS: Readonly<Record<string, string>> = {
  '⏞': '\\overbrace',
  '⏟': '\\underbrace',
  '→': '\\overrightarrow',
  '←': '\\overleftarrow',
};

/** TeX of a formula of Office, `m:oMath` (ECMA-376 part 1, §22.1), in math mode. */
export function officeTex(formula: XmlElement): string {
  return within(formula).replace(/\s+/g, ' ').trim();
}

function within(parent: XmlElement | undefined): string {
  return parent === undefined ? '' : joinTex(elementsOf(parent).map(texOf));
}

function texOf(node: XmlElement): string {
  const part = (name: string) => within(childOf(node, name));
  const base = () => grouped(part('m:e'));
  switch (node.name) {
    case 'm:r':
      return runTex(node);
    case 'm:f':
      return fraction(node);
    case 'm:sSup':
      return `${base()}^{${part('m:sup')}}`;
    case 'm:sSub':
      return `${base()}_{${part('m:sub')}}`;
    case 'm:sSubSup':
      return `${base()}_{${part('m:sub')}}^{${part('m:sup')}}`;
    case 'm:sPre':
      return `{}_{${part('m:sub')}}^{${part('m:sup')}}${part('m:e')}`;
    case 'm:rad': {
      const degree = part('m:deg');
      return degree === '' ? `\\sqrt{${part('m:e')}}` : `\\sqrt[${degree}]{${part('m:e')}}`;
    }
    case 'm:d':
      return delimited(node);
    case 'm:nary': {
      const sub = part('m:sub');
      const sup = part('m:sup');
      const operator = texSymbol(property(node, 'm:chr') ?? DEFAULT_NARY);
      const limits = `${sub === '' ? '' : `_{${sub}}`}${sup === '' ? '' : `^{${sup}}`}`;
      return joinTex([`${operator}${limits}`, ` ${part('m:e')}`]);
    }
    case 'm:func':
      return `${part('m:fName')}{${part('m:e')}}`;
    case 'm:limLow':
      return `${limited(part('m:e'))}_{${part('m:lim')}}`;
    case 'm:limUpp':
      return `${limited(part('m:e'))}^{${part('m:lim')}}`;
    case 'm:acc': {
      const accent = ACCENTS[property(node, 'm:chr') ?? '\u0302'];
      return accent === undefined ? part('m:e') : `${accent}{${part('m:e')}}`;
    }
    case 'm:bar':
      return `${property(node, 'm:pos') === 'top' ? '\\overline' : '\\underline'}{${part('m:e')}}`;
    case 'm:groupChr': {
      const group = GROUPS[property(node, 'm:chr') ?? '⏟'];
      return group === undefined ? part('m:e') : `${group}{${part('m:e')}}`;
    }
    case 'm:borderBox':
      return `\\boxed{${part('m:e')}}`;
    case 'm:m':
      return `\\begin{matrix} ${rowsOf(node, 'm:mr')} \\end{matrix}`;
    case 'm:eqArr':
      return `\\begin{aligned} ${linesOf(node)} \\end{aligned}`;
    case 'm:phant':
      return property(node, 'm:show') === '0' ? '' : part('m:e');
    default:
      return node.name.endsWith('Pr') ? '' : within(node);
  }
}

/** A value of the properties of an element, such as `m:fPr` of `m:f`. */
function property(node: XmlElement, name: string): string | undefined {
  return childOf(childOf(node, `${node.name}Pr`), name)?.attributes['m:val'];
}

function runTex(run: XmlElement): string {
  const text = elementsOf(run)
    .filter(({ name }) => name === 'm:t' || name === 'w:t')
    .flatMap(({ children }) => children)
    .join('');
  if (childOf(childOf(run, 'm:rPr'), 'm:nor') !== undefined)
    return `\\text{${text.replace(/[\\{}$%&#_]/g, (char) => (char === '\\' ? '\\backslash ' : `\\${char}`))}}`;
  // A multiletter name is a function; letters of its own beside one another are a product.
  const words = text.split(/((?<![a-z])[a-z]{2,6}(?![a-z]))/i);
  return joinTex(
    words.flatMap((word) => (FUNCTIONS.has(word) ? [`\\${word} `] : Array.from(word, texSymbol))),
  );
}

function fraction(node: XmlElement): string {
  const [top, bottom] = [within(childOf(node, 'm:num')), within(childOf(node, 'm:den'))];
  const type = property(node, 'm:type');
  if (type === 'lin' || type === 'skw') return `${grouped(top)}/${grouped(bottom)}`;
  return type === 'noBar' ? `{${top} \\atop ${bottom}}` : `\\frac{${top}}{${bottom}}`;
}

function delimited(node: XmlElement): string {
  const parts = elementsOf(node).filter(({ name }) => name === 'm:e');
  const separator = property(node, 'm:sepChr') ?? '|';
  const side = (name: string, usual: string) => {
    const char = property(node, name) ?? usual;
    return char === '' ? '.' : texSymbol(char);
  };
  const inside = parts.map(within).join(texSymbol(separator));
  const isPlain = !/\\(?:frac|begin|atop|sum|int|prod|overline|underbrace|overbrace)\b/.test(inside);
  const [left, right] = [side('m:begChr', '('), side('m:endChr', ')')];
  if (isPlain && left !== '.' && right !== '.') return joinTex([left, inside, right]);
  return `${joinTex(['\\left', left, inside])}${joinTex(['\\right', right])}`;
}

function rowsOf(node: XmlElement, rowName: string): string {
  return elementsOf(node)
    .filter(({ name }) => name === rowName)
    .map((row) =>
      elementsOf(row)
        .filter(({ name }) => name === 'm:e')
        .map(within)
        .join(' & '),
    )
    .join(' \\\\ ');
}

/** The lines of an array of equations; `&` in their text is where they line up (§22.1.2.34). */
function linesOf(node: XmlElement): string {
  return elementsOf(node)
    .filter(({ name }) => name === 'm:e')
    .map((line) => within(line).replaceAll('\\&', '&'))
    .join(' \\\\ ');
}

function grouped(tex: string): string {
  const base = tex.trim();
  return base.length < 2 || /^(?:\\[a-z]+|[\d.]+)$/i.test(base) ? base : `{${base}}`;
}

/** Limits belong under an operator, and other things need to be made one. */
const limited = (tex: string): string => (/^\\[a-z]+ ?$/i.test(tex) ? tex.trim() : `\\operatorname*{${tex}}`);
