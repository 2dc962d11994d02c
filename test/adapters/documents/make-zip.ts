import { strToU8, type Zippable, zipSync } from 'fflate';

/** A ZIP file of texts, its members in the given order. */
export function zipOf(members: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const zippable: Zippable = {};
  // OpenDocument and EPUB want their type readable.
  for (const [name, content] of Object.entries(members))
    zippable[name] = [
      typeof content === 'string' ? strToU8(content) : content,
      { level: name === 'mimetype' ? 0 : 6 },
    ];
  return Buffer.from(zipSync(zippable));
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';

/** The members that every Office Open XML file has: what its main member is, and its properties. */
export function officeMembers(main: string, type: string): Record<string, string> {
  return {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    '_rels/.rels': relationsOf({ r1: ['officeDocument', main] }),
    'docProps/core.xml':
      '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>The  title</dc:title><dc:creator>Ann</dc:creator><dcterms:created>2026-01-02T03:04:05Z</dcterms:created></cp:coreProperties>',
  };
}

/** @param targets by id: the last part of the type, and the path */
export function relationsOf(
  targets: Readonly<Record<string, readonly [type: string, path: string]>>,
): string {
  const items = Object.entries(targets).map(
    ([id, [type, path]]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/relationships/${type}" Target="${path}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

/** @param parts further parts by their type, as the content of their root element: `{ styles: '<w:style …/>' }` */
export function docxOf(body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const names =
    `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="${OFFICE}/math"` +
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"' +
    ' xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:r="r" xmlns:a="a" xmlns:wps="wps"';
  const members = Object.entries(parts).map(([type, content]) => [
    `word/${type}.xml`,
    `<w:${type} ${names}>${content}</w:${type}>`,
  ]);
  return zipOf({
    ...officeMembers('word/document.xml', 'wordprocessingml.document'),
    'word/document.xml': `<w:document ${names}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationsOf(
      Object.fromEntries(Object.keys(parts).map((type) => [type, [type, `${type}.xml`] as const])),
    ),
    ...Object.fromEntries(members),
  });
}

/** A workbook with one sheet, `data` being the rows of `sheetData` and what is before and after it. @param more further sheets, hidden ones */
export function xlsxOf(data: string, styles = '', more: readonly string[] = []): Buffer {
  const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zipOf({
    ...officeMembers('xl/workbook.xml', 'spreadsheetml.sheet'),
    'xl/workbook.xml': `<workbook xmlns="${sheet}" xmlns:r="${OFFICE}/relationships"><sheets><sheet name="Prices" sheetId="1" r:id="r1"/>${more.map((state, n) => `<sheet name="More" sheetId="${n + 2}" state="${state}" r:id="r1"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf({
      r1: ['worksheet', 'worksheets/sheet1.xml'],
      r2: ['styles', 'styles.xml'],
    }),
    'xl/styles.xml': `<styleSheet xmlns="${sheet}">${styles}</styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${sheet}">${data}</worksheet>`,
  });
}
