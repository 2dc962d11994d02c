import type { HeaderList } from '../../domain/fetched.ts';
import type { StoredRecord } from '../../domain/record.ts';

/** What the answer that is kept tells about its content. */
export function contentFacts(record: StoredRecord): { headers: HeaderList; undecoded: boolean } {
  const { headers, errors } = JSON.parse(record.answerJson ?? '{"headers":{},"errors":[]}') as {
    headers: Record<string, string>;
    errors: { code: string; attempt?: number }[];
  };
  const told = ['content-type', 'x-content-type-options'].filter((name) => Object.hasOwn(headers, name));
  return {
    headers: told.map((name) => [name, headers[name]!] as const),
    undecoded: errors.some(({ code }) => code === 'content.decode_failed'),
  };
}
