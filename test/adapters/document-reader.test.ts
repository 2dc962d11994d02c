import assert from 'node:assert/strict';
import { createDocumentReader } from '../../src/adapters/documents/document-reader.ts';
import { documentReaderContract } from '../contracts/document-reader.ts';

documentReaderContract('in processes', (maxPages) =>
  createDocumentReader({ maxPages, memoryMb: 512, onError: (error) => assert.fail(String(error)) }),
);
