import { fieldErrors } from '../api/api-error.ts';

/** For the head of a form: the error, unless it stands at one of the fields already. */
export function unplacedError(error: unknown, fields: readonly string[]): unknown {
  return Object.keys(fieldErrors(error, fields)).length === 0 ? error : null;
}
