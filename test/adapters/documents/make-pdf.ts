/** Text at a place of a page, in points; y grows upwards. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
}

/** A PDF of numbered objects, the first of which is its catalog. A stream is given as the whole object. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  }
  const start = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  add(Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${entries}`));
  add(Buffer.from(`trailer\n<</Size ${count}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

export function streamOf(data: string | Buffer, entries = ''): Buffer {
  const bytes = Buffer.from(data);
  const head = Buffer.from(`<</Length ${bytes.length}${entries}>>\nstream\n`);
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')]);
}

/** A PDF of pages with texts in Helvetica, in the given order; characters are those of Windows-1252. @param trailer further entries */
export function textPdf(pages: readonly (readonly PlacedText[])[], trailer = ''): Buffer {
  const font = 3;
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ];
  for (const [index, texts] of pages.entries()) {
    const content = texts.map(
      ({ text, x, y, size = 10 }) =>
        `BT /F ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`,
    );
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F ${font} 0 R>>>>/Contents ${5 + 2 * index} 0 R>>`,
      streamOf(Buffer.from(content.join('\n'), 'latin1')),
    );
  }
  return pdfOf(objects, trailer);
}

/** A PDF of one page with any content, its font being `F`. @param page further entries of the page, as `catalog` and `resources` @param more further objects, from 6 on */
export function pagePdf(
  content: string,
  {
    page = '',
    catalog = '',
    resources = '',
    more = [],
  }: { page?: string; catalog?: string; resources?: string; more?: readonly (string | Buffer)[] } = {},
): Buffer {
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>${resources}>>/Contents 5 0 R${page}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    streamOf(Buffer.from(content, 'latin1')),
    ...more,
  ]);
}

/** Lines of text below one another. */
export function lines(texts: readonly string[], x: number, top: number, size = 10): PlacedText[] {
  return texts.map((text, index) => ({ text, x, y: top - index * size * 1.2, size }));
}

/** Nobody knows its password. */
export function encryptedPdf(): Buffer {
  const key = 'A'.repeat(32);
  const encrypt = `/ID[(a)(a)]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O(${key})/U(${key})>>`;
  return textPdf([lines(['a'], 50, 700)], encrypt);
}
