import { createHash } from 'node:crypto';
import type { NewRecord } from '../../../src/domain/record.ts';
import { record } from '../../contracts/samples.ts';

/** A record whose content, up to 40 KB, follows from its number alone, so that another process can check it. */
export function numbered(n: number): NewRecord {
  const seed = createHash('sha256').update(String(n)).digest();
  const content = Buffer.concat(Array.from({ length: seed[0]! * 5 + 1 }, () => seed));
  return record(n, {
    content,
    contentBytes: content.length,
    answerJson: JSON.stringify({ n, seed: seed.toString('hex') }),
  });
}
