/**
 * A queue in which users take turns, so that a user with a hundred waiting scrapes delays others by one, not by a hundred.
 * The items of one user keep their order.
 */
export class RoundRobinQueue<T> {
  /** In the order of the turns: the next user comes first. */
  readonly #users = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(userId: string, item: T): void {
    const items = this.#users.get(userId);
    if (items === undefined) this.#users.set(userId, new Set([item]));
    else items.add(item);
    this.#size++;
  }

  /** Removes and returns the next item of the users that `isAllowed` accepts; undefined if those users have no items. */
  shift(isAllowed: (userId: string) => boolean): { readonly userId: string; readonly item: T } | undefined {
    for (const [userId, items] of this.#users) {
      if (!isAllowed(userId)) continue;
      const item = items.values().next().value!;
      items.delete(item);
      this.#size--;
      this.#users.delete(userId);
      if (items.size > 0) this.#users.set(userId, items);
      return { userId, item };
    }
    return undefined;
  }

  remove(userId: string, item: T): void {
    const items = this.#users.get(userId);
    if (items === undefined || !items.delete(item)) return;
    this.#size--;
    if (items.size === 0) this.#users.delete(userId);
  }
}
