import type { FastifyReply } from 'fastify';
import { Refusal } from './refusal.ts';

/** Counts the open streams of each user. */
export class StreamSlots {
  readonly #open = new Map<string, number>();

  /** Takes a slot until the response is closed. @throws Refusal limit.streams */
  take(userId: string, limit: number, { raw }: FastifyReply): void {
    const open = this.#open.get(userId) ?? 0;
    if (open >= limit)
      throw Refusal.of('limit.streams', `A user may have at most ${limit} streams open at once. Close one.`);
    this.#open.set(userId, open + 1);
    raw.once('close', () => {
      const left = (this.#open.get(userId) ?? 1) - 1;
      if (left === 0) this.#open.delete(userId);
      else this.#open.set(userId, left);
    });
  }
}
