import { Type } from 'typebox';
import { DOCUMENT_KINDS } from '../../domain/document.ts';
import { closed, orNull } from '../../domain/json-schema.ts';

const Count = orNull(Type.Integer({ minimum: 0 }));
const Text = orNull(Type.String());

export const DocumentInfoSchema = closed(
  {
    kind: Type.Enum([...DOCUMENT_KINDS]),
    pages: {
      ...Count,
      description:
        'Pages of a PDF, slides, sheets or chapters. Null for kinds that have none before they are laid out.',
    },
    pages_read: Count,
    text_layer: Type.Boolean({ description: 'Whether there is any text. False for a scan.' }),
    title: Text,
    author: Text,
    created: orNull(Type.String({ description: 'RFC 3339.' })),
    truncated: Type.Boolean({
      description: 'Whether only a part was read, because of a limit of time, pages or length.',
    }),
  },
  {
    title: 'DocumentInfo',
    description:
      'What is known about a document (PDF, DOCX, ODT, RTF, EPUB, PPTX, XLSX, XLS, ODS, CSV) whose formats were requested.',
  },
);
