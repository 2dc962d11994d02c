import { Type } from 'typebox';
import { failure } from '../../domain/failure.ts';
import { COMPARED_FORMATS } from '../../domain/monitors.ts';
import type { StoredRecord } from '../../domain/record.ts';
import { comparePages } from '../../monitors/compare-pages.ts';
import { NO_CHANGE } from '../../monitors/ended-run.ts';
import { readSnapshot } from '../../monitors/read-snapshot.ts';
import { changeMembers, ScrapeChange } from '../../wire/change.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json } from '../core/responses.ts';
import { EXPIRED, existing, RECORD_ID, recordId, visibleUser } from '../operations/missing-record.ts';

/** Pictures and bytes have no lines, and are at their own addresses. */
const FORMATS = ['source', ...COMPARED_FORMATS.filter((name) => name !== 'screenshot' && name !== 'bytes')];

const NO_BEFORE = failure('request.validation', '`before` is required: the id of a record.', {
  pointer: '/before',
});

const QUERY = {
  parameters: {
    before: {
      description: 'Id of the record to compare with, usually the earlier one.',
      schema: Type.String({ format: 'uuid' }),
    },
    format: {
      description:
        'What is compared. `source`: the lines of the content as it was stored. `markdown`, `text` and `main_html` are those of the main content.',
      schema: Type.Enum(FORMATS, { default: 'source' }),
    },
  },
  read(query: QueryReader) {
    return { before: query.text('before'), format: query.oneOf('format', FORMATS) ?? 'source' };
  },
};

async function compareRecords(before: StoredRecord, after: StoredRecord, format: string, deps: EndpointDeps) {
  const options = { selector: null, ignore: [], minChange: 0 };
  const isText = before.contentEncoding === 'utf-8' && after.contentEncoding === 'utf-8';
  const read = COMPARED_FORMATS.find((name) => name === format) ?? 'bytes';
  const change = { ...NO_CHANGE, previousId: before.id };
  const old = await readSnapshot(before, { ...options, format: read }, deps);
  const now = await readSnapshot(after, { ...options, format: read }, deps);
  if (typeof old === 'string' || typeof now === 'string') {
    const reason = typeof now === 'string' ? now : String(old);
    return { state: 'error' as const, ...changeMembers({ ...change, reason, similarity: 0 }) };
  }
  // Texts of any format are compared by lines.
  const how = read === 'bytes' && isText ? 'text' : read;
  const { state, ...difference } = await comparePages(old, now, { ...options, format: how });
  return { state, ...changeMembers({ ...change, ...difference }) };
}

export const COMPARE_RECORDS = [
  endpoint({
    method: 'get',
    path: '/api/v1/scrape/{id}/compare/',
    operationId: 'compareScrapes',
    summary: 'Compare the pages of two stored scrapes',
    description:
      'What the page of this record has that the page of the record `before` does not have, and the reverse, without fetching. The records may be of different URLs. `state` is `same` or `changed`, or `error` with a `reason` if one of them has nothing to compare: `no_content`, `empty`, `unreadable` or `no_data`.',
    access: 'scope:read',
    params: RECORD_ID,
    query: QUERY,
    responses: { 200: json('The difference.', ScrapeChange), 410: EXPIRED },
    handler: async ({ params, query: { before, format }, principal }, deps) => {
      const { records } = deps.store;
      const load = (text: string) => {
        const id = recordId(text);
        return existing(id, records.get(id, visibleUser(principal)), deps);
      };
      const after = await load(params.id);
      if (before === null) throw new Refusal([NO_BEFORE]);
      return await compareRecords(await load(before), after, format, deps);
    },
  }),
];
