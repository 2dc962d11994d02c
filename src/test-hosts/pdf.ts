const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

/** A PDF whose pages have these lines (ISO 32000-1 §7.5). Characters are those of Latin-1. */
export function pdfOf(pages: readonly (readonly string[])[]): Buffer {
  const first = 4;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')}]>>`,
    FONT,
    ...pages.flatMap((lines, index) => {
      const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) '`).join('\n');
      const content = `BT /F 12 Tf 16 TL 72 760 Td\n${text}\nET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${first + 2 * index + 1} 0 R>>`,
        `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
