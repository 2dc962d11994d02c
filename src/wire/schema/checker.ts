import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { explain, type Schema } from './explain.ts';
import { NOTE_KEYWORDS } from './notes.ts';
import { type Problems, wrong } from './problems.ts';

let ajv: Ajv2020 | undefined;

/** Nothing is coerced, filled in or removed: what is checked is what was sent. */
function compiler(): Ajv2020 {
  ajv ??= new Ajv2020({
    strict: true,
    allErrors: false,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    validateFormats: false,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    keywords: [...NOTE_KEYWORDS],
  });
  return ajv;
}

/**
 * Checks values against a schema. True when the value fits; else what is wrong is added to `problems`, with pointers
 * that begin with `at`. The schema is compiled at the first call.
 */
export type Check = (value: unknown, at: string, problems: Problems) => boolean;

export function checker(schema: TSchema): Check {
  let validate: ValidateFunction | undefined;
  return (value, at, problems) => {
    validate ??= compiler().compile(schema);
    if (validate(value)) return true;
    const before = problems.length;
    explain(schema as Schema, value, at, problems);
    // Never silent: should the two ever disagree, Ajv decides and its words are given.
    if (problems.length === before) {
      const first = validate.errors?.[0];
      wrong(problems, `${at}${first?.instancePath ?? ''}`, first?.message ?? 'does not fit the schema');
    }
    return false;
  };
}
