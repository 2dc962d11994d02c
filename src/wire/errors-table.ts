import { FAILURES, type FailureCode, WARNINGS, type WarningCode } from '../domain/failure.ts';
import { WARNING_SOURCES } from './answer/errors-json.ts';

/** The body of `GET /api/v1/errors/`: every code there is. */
export function errorsTable() {
  return {
    errors: (Object.keys(FAILURES) as FailureCode[]).map((code) => {
      const { status, source, retryable, title, help } = FAILURES[code];
      return { code, status, source, retryable, title, help };
    }),
    warnings: (Object.keys(WARNINGS) as WarningCode[]).map((code) => ({
      code,
      source: WARNING_SOURCES[code],
      help: WARNINGS[code],
    })),
  };
}
