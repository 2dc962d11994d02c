import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../observe/logger.ts';
import type { RecordStore } from '../../ports/store.ts';
import { StorageError } from '../../ports/store.ts';
import { EXPORT_MEDIA_TYPES, exportHead, exportLines } from '../../wire/record/record-list.ts';
import { type ExportRequest, parseExportQuery, seesAllUsers } from '../../wire/record/record-query.ts';
import type { QueryParameters } from '../../wire/schema/query-reader.ts';
import { type AdmissionControl, admissionHook } from '../access.ts';
import { Refusal } from '../refusal.ts';
import { sendStream } from '../streaming.ts';

export interface ExportRouteParts {
  readonly gate: AdmissionControl;
  readonly records: RecordStore;
  readonly logger: Pick<Logger, 'error'>;
}

/** Told in the OpenAPI document. */
const MOST_LINES = 100_000;
const LINES_AT_ONCE = 200;

/** The lines of a list as a file, page by page as the caller takes them. */
export function exportRoute(app: FastifyInstance, { gate, records, logger }: ExportRouteParts): void {
  const reading = { onRequest: admissionHook(gate, { scope: 'read' }) };
  app.get('/api/v1/scrape/export', reading, async (request, reply) => {
    const who = request.principal!;
    const { ask, problems } = parseExportQuery(request.query as QueryParameters, who);
    if (ask === null) throw new Refusal(problems);
    reply.headers({
      'content-type': EXPORT_MEDIA_TYPES[ask.format],
      'content-disposition': `attachment; filename="scrapes.${ask.format}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    return sendStream(reply, exported(records, ask, seesAllUsers(who)), (error) => {
      if (!(error instanceof StorageError)) logger.error({ err: error }, 'internal error');
    });
  });
}

async function* exported(
  records: RecordStore,
  { filter, format }: ExportRequest,
  withUser: boolean,
): AsyncGenerator<string> {
  let head = exportHead(format, withUser);
  let after: string | null = null;
  for (let left = MOST_LINES; left > 0; ) {
    const { items, next } = await records.list(filter, Math.min(LINES_AT_ONCE, left), after);
    left -= items.length;
    // Also when nothing was found: whoever takes the pieces looks whether the caller is still there.
    yield head + exportLines(items, format, withUser);
    head = '';
    if (next === null) return;
    after = next;
  }
}
