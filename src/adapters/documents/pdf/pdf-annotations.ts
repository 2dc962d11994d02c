import type { PDFPageProxy } from 'unpdf/pdfjs';
import type { PdfLink } from './pdf-links.ts';

/** Text that lies on the page: the value of a field of a form, or a note. Lengths are in points, and y grows upwards. */
export interface PdfValue {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly size: number;
}

/** The members of the package's annotations that are read here. Its types do not have them. */
interface Annotation {
  readonly subtype?: string;
  readonly rect?: readonly [number, number, number, number];
  readonly annotationFlags?: number;
  readonly url?: string;
  readonly fieldType?: string;
  readonly fieldValue?: string | readonly string[] | null;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly exportValue?: string;
  readonly buttonValue?: string;
  readonly password?: boolean;
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[];
  readonly contentsObj?: { readonly str: string };
  readonly defaultAppearanceData?: { readonly fontSize?: number };
}

/** Flags `Hidden` and `NoView` (ISO 32000-2, table 167). */
const NOT_SHOWN = 0b100010;
const LINK_URL = /^(?:https?|mailto):/i;
const MAX_SIZE = 12;

/** What the annotations of a page show as text, and where its links lead. */
export async function readAnnotations(
  page: PDFPageProxy,
): Promise<{ readonly values: PdfValue[]; readonly links: PdfLink[] }> {
  const values: PdfValue[] = [];
  const links: PdfLink[] = [];
  for (const annotation of (await page.getAnnotations()) as Annotation[]) {
    const { subtype, rect, annotationFlags = 0, url } = annotation;
    if (rect === undefined || (annotationFlags & NOT_SHOWN) !== 0) continue;
    if (subtype === 'Link') {
      if (url !== undefined && LINK_URL.test(url)) links.push({ url, rect });
      continue;
    }
    const text = subtype === 'Widget' ? fieldText(annotation) : noteText(annotation);
    values.push(...placed(text, rect, annotation.defaultAppearanceData?.fontSize ?? 0));
  }
  return { values, links };
}

/** What a field shows: what was filled in or chosen, or whether it is ticked. */
function fieldText(field: Annotation): string {
  const { fieldType, fieldValue, options = [], password } = field;
  if (password === true) return '';
  if (field.checkBox === true || field.radioButton === true) {
    const value = field.checkBox === true ? field.exportValue : field.buttonValue;
    const isTicked = fieldValue != null && fieldValue !== 'Off' && fieldValue === value;
    return isTicked ? '☒' : '☐';
  }
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return '';
  const values = typeof fieldValue === 'string' ? [fieldValue] : (fieldValue ?? []);
  const shown = values.map(
    (value) => options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value,
  );
  return shown.join(', ');
}

/** Text that was typed onto the page; that of other notes shows when somebody opens them. */
function noteText({ subtype, contentsObj }: Annotation): string {
  return subtype === 'FreeText' ? (contentsObj?.str ?? '') : '';
}

function placed(text: string, rect: readonly number[], fontSize: number): PdfValue[] {
  const [x = 0, bottom = 0, right = 0, top = 0] = rect;
  // About half a font size for each letter is what it takes up.
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const height = (top - bottom) / Math.max(1, lines.length);
  const size = fontSize > 0 ? fontSize : Math.max(1, Math.min(MAX_SIZE, 0.7 * height));
  // A single line stands in the middle of its field, several begin at its top.
  const first = lines.length === 1 ? (bottom + top) / 2 - 0.3 * size : top - size;
  return lines.map((line, n) => {
    const text = line.trim();
    return { text, x, y: first - n * 1.2 * size, right: Math.min(right, x + 0.5 * size * text.length), size };
  });
}
