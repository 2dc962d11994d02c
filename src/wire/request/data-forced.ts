import { type Static, Type } from 'typebox';
import { trimBlanks } from '../../base/trim-blanks.ts';
import type { JobBody } from '../../domain/job.ts';
import { closed } from '../schema/build.ts';
import { checker } from '../schema/checker.ts';
import type { Schema } from '../schema/explain.ts';
import { pointTo } from '../schema/pointer.ts';
import { type Problems, wrong, wrongValue } from '../schema/problems.ts';
import { formFrom } from './form.ts';
import { badHeaderValue, type NamedHeader } from './headers.ts';
import { FORM_TYPE, JSON_TYPE, TEXT_TYPE } from './media-types.ts';
import { multipart } from './multipart.ts';
import { withoutNulls } from './without-nulls.ts';

export const FORCED_KEYS = ['$json', '$form', '$raw', '$base64', '$multipart'] as const;

const PartsAsk = Type.Array(
  closed({
    name: Type.String(),
    value: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String()),
    filename: Type.Optional(Type.String()),
    content_type: Type.Optional(Type.String({ minLength: 1 })),
  }),
);
type PartsAsk = Static<typeof PartsAsk>;
const checkParts = checker(PartsAsk);

/** A body whose kind the caller names: `{"$form": …}` and the like. */
export function readForced(
  data: Readonly<Record<string, unknown>>,
  contentType: NamedHeader | null,
  problems: Problems,
): JobBody | null {
  const key = FORCED_KEYS.find((one) => Object.hasOwn(data, one))!;
  const at = pointTo('/data', key);
  const before = problems.length;
  for (const name of Object.keys(data)) {
    if (name === key || (name === 'content_type' && key === '$base64')) continue;
    wrong(
      problems,
      pointTo('/data', name),
      `is unknown beside ${key}; to send such an object, wrap it in $json`,
    );
  }
  if (problems.length > before) return null;
  const value = data[key];
  switch (key) {
    case '$json':
      return { type: 'json', bytes: Buffer.from(JSON.stringify(value)), contentType: JSON_TYPE };
    case '$form': {
      const form = formFrom(value, at, problems);
      return form === null ? null : { type: 'form', bytes: Buffer.from(form), contentType: FORM_TYPE };
    }
    case '$raw':
      if (typeof value === 'string')
        return { type: 'raw', bytes: Buffer.from(value), contentType: TEXT_TYPE };
      wrongValue(problems, at, 'must be a string', value);
      return null;
    case '$base64': {
      const given = data.content_type ?? 'application/octet-stream';
      const bytes = readBase64(value, at, problems);
      const type = readType(given, '/data/content_type', problems);
      return bytes === null || type === null ? null : { type: 'binary', bytes, contentType: type };
    }
    case '$multipart':
      return readParts(value, contentType, at, problems);
  }
}

function readParts(
  value: unknown,
  contentType: NamedHeader | null,
  at: string,
  problems: Problems,
): JobBody | null {
  const given = withoutNulls(value, PartsAsk as Schema);
  if (!checkParts(given, at, problems)) return null;
  const before = problems.length;
  if (contentType !== null) {
    wrong(
      problems,
      pointTo('/headers', contentType.name),
      'cannot be given with $multipart: it contains the boundary, which Sluice generates',
    );
  }
  const parts = (given as PartsAsk).map((part, i) => {
    const place = pointTo(at, i);
    if ((part.value === undefined) === (part.base64 === undefined)) {
      wrong(problems, place, 'must have either `value` or `base64`');
    }
    return {
      name: part.name,
      bytes:
        part.base64 === undefined
          ? Buffer.from(part.value ?? '')
          : (readBase64(part.base64, `${place}/base64`, problems) ?? Buffer.alloc(0)),
      filename: part.filename ?? null,
      contentType:
        part.content_type === undefined
          ? null
          : readType(part.content_type, `${place}/content_type`, problems),
    };
  });
  if (problems.length > before) return null;
  const { bytes, boundary } = multipart(parts);
  return { type: 'multipart', bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

function readType(value: unknown, at: string, problems: Problems): string | null {
  if (typeof value !== 'string' || trimBlanks(value) === '') {
    wrongValue(problems, at, 'must be a media type', value);
    return null;
  }
  const complaint = badHeaderValue(value);
  if (complaint !== null) wrong(problems, at, complaint);
  return complaint === null ? trimBlanks(value) : null;
}

/** RFC 4648 §4, strict: padded, no line breaks, no stray bits; anything else is a mistake better told than guessed. */
function readBase64(value: unknown, at: string, problems: Problems): Buffer | null {
  if (typeof value !== 'string') {
    wrongValue(problems, at, 'must be a string', value);
    return null;
  }
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64') === value) return bytes;
  wrong(problems, at, 'must be base64 (RFC 4648 §4: letters, digits, + and /, padded with =)');
  return null;
}
