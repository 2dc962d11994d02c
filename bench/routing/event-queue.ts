type What = (now: number) => void;

/** What happens when, in order; of the same instant what was added first. */
export class EventQueue {
  readonly #heap: { readonly at: number; readonly n: number; readonly what: What }[] = [];
  #added = 0;
  now = 0;

  add(at: number, what: What): void {
    const heap = this.#heap;
    const one = { at, n: this.#added++, what };
    let place = heap.length;
    heap.push(one);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#before(heap[parent]!, one)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = one;
  }

  run(): void {
    for (let one = this.#take(); one !== null; one = this.#take()) {
      this.now = one.at;
      one.what(one.at);
    }
  }

  #before(a: { at: number; n: number }, b: { at: number; n: number }): boolean {
    return a.at < b.at || (a.at === b.at && a.n < b.n);
  }

  #take() {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined) return null;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#before(heap[child + 1]!, heap[child]!)) child++;
      if (this.#before(last, heap[child]!)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}
