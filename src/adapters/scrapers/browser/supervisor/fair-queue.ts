/**
 * Who waits, by user: the users take turns, and within a user the first to come is the first to go. A user with a
 * hundred waiting delays another by one, not by a hundred.
 */
export class FairQueue<T> {
  /** In the order of their turns: who was served goes to the end. */
  readonly #users = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(userId: string, item: T): void {
    const waiting = this.#users.get(userId);
    if (waiting === undefined) this.#users.set(userId, new Set([item]));
    else waiting.add(item);
    this.#size++;
  }

  /** Takes out the next one of a user who may go; undefined when nobody waits who may. */
  shift(may: (userId: string) => boolean): { readonly userId: string; readonly item: T } | undefined {
    for (const [userId, waiting] of this.#users) {
      if (!may(userId)) continue;
      this.#users.delete(userId);
      for (const item of waiting) {
        waiting.delete(item);
        this.#size--;
        if (waiting.size > 0) this.#users.set(userId, waiting);
        return { userId, item };
      }
    }
    return undefined;
  }

  /** Takes one out that does not want to wait any more. */
  remove(userId: string, item: T): void {
    const waiting = this.#users.get(userId);
    if (waiting === undefined || !waiting.delete(item)) return;
    this.#size--;
    if (waiting.size === 0) this.#users.delete(userId);
  }
}
