import { microToCurrency } from '../../base/numbers.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import type { Failure, Warning } from '../../domain/failure.ts';
import { NO_TIMING } from '../../domain/fetch-result.ts';
import type { DataMember } from '../../domain/reading.ts';
import type { NewRecord, StoredRecord } from '../../domain/record.ts';
import type { Outcome, Scrape } from '../../domain/scrape.ts';
import {
  type AnswerBody,
  answerParts,
  costDetails,
  errorEntries,
  modelUseJson,
  warningEntry,
} from '../answer/answer-json.ts';
import type { RouterMeta } from '../answer/answer-schema.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime } from '../date-time.ts';

/** What was read again from a record. Pointers are those of the scrape request. */
interface Reread extends Pick<Scrape, 'model' | 'costUnit'> {
  /** Id of the new record (UUID version 7), and its time in ms since the epoch. */
  readonly id: string;
  readonly createdAt: number;
  readonly durationMs: number;
  readonly keyId: string | null;
  readonly data: readonly DataMember[];
  readonly failures: readonly Failure[];
  readonly warnings: readonly Warning[];
}

/**
 * The record of a scrape whose model is asked again: that of the page, with the new data in place of `extract.model` (contract §13).
 * Its cost and its time are those of the reading alone. Blobs have the id of the old record in their keys, and must be copied.
 * @param record with its answer
 */
export function rereadRecord(record: StoredRecord, requestJson: string | null, reread: Reread): NewRecord {
  const { id, createdAt, durationMs, keyId, model, costUnit } = reread;
  // The id is also in the placeholders of links.
  const parts = answerParts(record.answerJson!.replaceAll(record.id, id));
  const body = JSON.parse(parts.body) as AnswerBody;
  const ofPage = body.errors.filter(({ code, attempt }) => code !== 'extract.model' && attempt === undefined);
  const found = [...ofPage, ...errorEntries(reread.failures)];
  // What other attempts met with is told only with a fault of the page.
  const errors =
    found.length === 0 ? [] : [...found, ...body.errors.filter(({ attempt }) => attempt !== undefined)];
  const data = Object.fromEntries(reread.data.map(([name, json]) => [name, JSON.parse(json) as unknown]));
  const isError = (record.statusCode ?? 200) >= 400;
  const outcome: Outcome = errors.length > 0 ? 'partial' : isError ? 'target_error' : 'ok';
  const cost = costUnit === EFFORT_UNIT ? null : model === null ? 0 : model.cost;
  const requestCost = cost === null ? null : microToCurrency(cost);
  const router = JSON.parse(parts.router) as Written<typeof RouterMeta>;
  const told: typeof router = {
    ...router,
    request_cost: requestCost,
    outcome,
    warnings: [...router.warnings, ...reread.warnings.map(warningEntry)],
  };
  // Absent with `router.trace: false`.
  const traced: Partial<typeof router> =
    router.attempts === undefined
      ? {}
      : {
          started_at: formatDateTime(createdAt),
          attempts: router.attempts.map((attempt) => ({
            ...attempt,
            ...{ bytes_in: 0, bytes_out: 0, cost: cost === null ? null : 0 },
            reused: [...new Set([...attempt.reused, 'content'])],
          })),
          cost_details: costDetails({ cost, attempts: [], model }),
          model: modelUseJson(model),
          timing: { ...NO_TIMING, queue: null, pause: null, total: Math.round(durationMs) },
        };
  return {
    ...record,
    id,
    keyId,
    createdAt,
    outcome,
    requestJson,
    requestCost,
    errorCode: errors[0]?.code ?? null,
    durationMs: Math.round(durationMs),
    answerJson: [
      parts.head,
      JSON.stringify({ ...body, errors, scraper_data: { ...body.scraper_data, ...data } }),
      JSON.stringify({ ...told, ...traced }),
    ].join('\n'),
  };
}
