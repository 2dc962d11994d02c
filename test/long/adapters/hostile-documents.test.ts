import assert from 'node:assert/strict';
import { createDocumentReader } from '../../../src/adapters/documents/document-reader.ts';
import { hostileDocumentsContract } from '../../contracts/document-reader.ts';

hostileDocumentsContract('in processes', (maxPages) =>
  createDocumentReader({ maxPages, memoryMb: 512, onError: (error) => assert.fail(String(error)) }),
);
