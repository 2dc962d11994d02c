import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../observe/logger.ts';
import { StorageError } from '../../ports/storage-error.ts';
import type { RecordStore } from '../../ports/store.ts';
import { EXPORT_TYPES, exportHead, exportLines } from '../../wire/record/export-lines.ts';
import { type ExportAsk, parseExportQuery } from '../../wire/record/export-query.ts';
import type { Query } from '../../wire/record/query-reader.ts';
import { seesAll } from '../../wire/record/sees-all.ts';
import { admission, type Gate } from '../admission.ts';
import { Refusal } from '../problem.ts';
import { sendStream } from '../send-stream.ts';

export interface ExportRouteParts {
  readonly gate: Gate;
  readonly records: RecordStore;
  readonly logger: Pick<Logger, 'error'>;
}

/** Told in the OpenAPI document. */
const MOST_LINES = 100_000;
const LINES_AT_ONCE = 200;

/** The lines of a list as a file, page by page as the caller takes them. */
export function exportRoute(app: FastifyInstance, { gate, records, logger }: ExportRouteParts): void {
  const reading = { onRequest: admission(gate, { scope: 'read' }) };
  app.get('/api/v1/scrape/export', reading, async (request, reply) => {
    const who = request.principal!;
    const { ask, problems } = parseExportQuery(request.query as Query, who);
    if (ask === null) throw new Refusal(problems);
    reply.headers({
      'content-type': EXPORT_TYPES[ask.format],
      'content-disposition': `attachment; filename="scrapes.${ask.format}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    return sendStream(reply, exported(records, ask, seesAll(who)), (error) => {
      if (!(error instanceof StorageError)) logger.error({ err: error }, 'internal error');
    });
  });
}

async function* exported(
  records: RecordStore,
  { filter, format }: ExportAsk,
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
