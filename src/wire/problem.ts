import { FAILURES, type Failure } from '../domain/failure.ts';
import type { Candidate } from '../domain/scrape.ts';
import { errorsJson } from './answer/errors-json.ts';
import { candidatesJson } from './answer/router-json.ts';

export interface ProblemAsk {
  /** Not empty; the first is the cause. */
  readonly errors: readonly Failure[];
  readonly requestId: string;
  readonly baseUrl: string;
  /** What was thought of, when nothing can do the request (422). */
  readonly candidates?: readonly Candidate[] | undefined;
}

/** A problem (RFC 9457) for what is refused before there is a scrape, as JSON text. */
export function problemJson({ errors, requestId, baseUrl, candidates }: ProblemAsk): string {
  const { code, message } = errors[0]!;
  const { title, status, retryable } = FAILURES[code];
  const listed = candidates === undefined ? '' : `,"candidates":${candidatesJson(candidates)}`;
  return `{"type":${JSON.stringify(`${baseUrl}/api/v1/errors/#${code}`)},"title":${JSON.stringify(title)},"status":${status ?? 500},"detail":${JSON.stringify(message)},"code":"${code}","request_id":${JSON.stringify(requestId)},"retryable":${retryable},"errors":${errorsJson(errors, false)}${listed}}`;
}
