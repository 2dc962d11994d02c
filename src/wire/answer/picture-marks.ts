import { picturesOf } from '../../domain/pictures.ts';
import type { Scrape } from '../../domain/scrape.ts';

/** Gives the address of a picture; null: it is not there any more. */
export type PictureUrl = (id: string, number: number) => string | null;

/**
 * JSON of what stands in an answer for the address of a picture. Addresses expire, so what is stored has a mark in their
 * place; nobody outside knows the id before the answer, so no page can have written it. What is not stored comes along in
 * the address itself.
 */
export function pictureMark({ id, job, delivered }: Scrape, number: number): string {
  const picture = delivered === null ? null : (picturesOf(delivered.page)[number] ?? null);
  if (id === null || picture === null) return 'null';
  if (job.router.retain === 'full') return `"${markStart(id)}${number}"`;
  const { bytes, type } = picture;
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  return `"data:${type};base64,${base64}"`;
}

/** An answer with addresses in place of its marks. */
export function withPictureUrls(answerJson: string, id: string | null, urlOf: PictureUrl): string {
  if (id === null || !answerJson.includes(`"${markStart(id)}`)) return answerJson;
  return answerJson.replaceAll(new RegExp(`"${markStart(id)}([0-9]+)"`, 'g'), (_, number) => {
    const url = urlOf(id, Number(number));
    return url === null ? 'null' : JSON.stringify(url);
  });
}

const markStart = (id: string): string => `picture:${id}:`;
