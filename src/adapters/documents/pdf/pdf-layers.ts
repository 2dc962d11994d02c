import { OPS, type PDFDocumentProxy, type PDFPageProxy } from 'unpdf/pdfjs';
import type { PdfTextItems } from './pdf-lines.ts';

/** The package's settings of layers (optional content, ISO 32000-2 §8.11). Its types do not have them. */
interface LayerSettings extends Iterable<readonly [id: string, layer: { readonly visible: boolean }]> {
  isVisible(group: unknown): boolean;
}

/** What a layer that is off hides; null: no layer is. */
export async function hidingLayers(pdf: PDFDocumentProxy): Promise<LayerSettings | null> {
  const settings = (await pdf.getOptionalContentConfig().catch(() => null)) as LayerSettings | null;
  return settings !== null && [...settings].some(([, { visible }]) => !visible) ? settings : null;
}

/** No annotations: their texts are not among those of the page. */
const ANNOTATIONS_OFF = 0;

/**
 * The texts of a page without those in layers that are off. The package tells layers only where it draws: what is drawn has the
 * letters of the texts in the same order. All texts are shown if that is not so.
 */
export async function withoutHiddenLayers(
  page: PDFPageProxy,
  items: PdfTextItems,
  settings: LayerSettings,
): Promise<PdfTextItems> {
  const isShown = await shownLetters(page, settings);
  const lettersOf = (item: PdfTextItems[number]) => ('str' in item ? letters(item.str).length : 0);
  const total = items.reduce((sum, item) => sum + lettersOf(item), 0);
  if (total !== isShown.length) return items;
  let at = 0;
  return items.filter((item) => {
    const own = isShown.slice(at, at + lettersOf(item));
    at += own.length;
    return own.length === 0 || own.includes(true);
  });
}

const letters = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '');

interface Glyph {
  readonly unicode?: string;
}

/** For each letter that a page draws, whether its layer is on. */
async function shownLetters(page: PDFPageProxy, settings: LayerSettings): Promise<boolean[]> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: ANNOTATIONS_OFF });
  const open: boolean[] = [];
  const shown: boolean[] = [];
  for (const [index, operation] of fnArray.entries()) {
    const args = argsArray[index] as readonly unknown[] | null;
    switch (operation) {
      case OPS.beginMarkedContent:
        open.push(true);
        break;
      case OPS.beginMarkedContentProps:
        open.push(args?.[0] !== 'OC' || settings.isVisible(args[1]));
        break;
      case OPS.endMarkedContent:
        open.pop();
        break;
      case OPS.showText: {
        const isOn = !open.includes(false);
        for (const glyph of (args?.[0] ?? []) as readonly (Glyph | number)[])
          if (typeof glyph === 'object')
            shown.push(...Array.from(letters(glyph.unicode ?? '').split(''), () => isOn));
        break;
      }
    }
  }
  return shown;
}
