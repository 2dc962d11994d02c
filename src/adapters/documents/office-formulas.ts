import { escapeHtml } from './html-writer.ts';
import { readXml } from './xml-events.ts';

const FORMULA_START = '<m:oMath>';
const FORMULA_END = '</m:oMath>';

/** Text before and after elements of a formula (ECMA-376 part 1, §22.1), in the linear form that Office itself shows. */
const LINEAR: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'm:num': ['(', ')/'],
  'm:den': ['(', ')'],
  'm:sup': ['^(', ')'],
  'm:sub': ['_(', ')'],
  'm:rad': ['√(', ')'],
  'm:d': ['(', ')'],
  'm:func': ['', ' '],
};

/** Replaces the formulas in the body of a Word document by runs of text such as `(a)/(b)`. */
export function formulasAsText(body: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = body.indexOf(FORMULA_START, at);
    const end = start === -1 ? -1 : body.indexOf(FORMULA_END, start);
    if (end === -1) break;
    const text = linearFormula(body.slice(start, end + FORMULA_END.length));
    parts.push(body.slice(at, start), `<w:r><w:t xml:space="preserve">${escapeHtml(text)}</w:t></w:r>`);
    at = end + FORMULA_END.length;
  }
  parts.push(body.slice(at));
  // A formula on a line of its own; inside of it, the package would not look for runs.
  return parts
    .join('')
    .replace(/<\/?m:oMathPara>/g, '')
    .replace(/<m:oMathParaPr>.*?<\/m:oMathParaPr>/gs, '');
}

function linearFormula(xml: string): string {
  let text = '';
  let isText = false;
  readXml(xml, {
    open(name) {
      isText = name === 'm:t';
      text += LINEAR[name]?.[0] ?? '';
    },
    close(name) {
      isText = false;
      text += LINEAR[name]?.[1] ?? '';
    },
    text(value) {
      if (isText) text += value;
    },
  });
  return text;
}
