import type { ItemEnd, ItemEndResult, JobStore } from '../ports/jobs.ts';

interface WaitingEnd {
  readonly end: ItemEnd;
  readonly resolve: (result: ItemEndResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Ends of one transaction, so that it does not hold up the records of other scrapes. */
const MAX_ENDS = 32;

/** Stores the ends of items: those that come while others are being stored share the next transaction. */
export class EndBatcher {
  readonly #jobs: Pick<JobStore, 'end'>;
  #waiting: WaitingEnd[] = [];
  #storing = false;

  constructor(jobs: Pick<JobStore, 'end'>) {
    this.#jobs = jobs;
  }

  store(end: ItemEnd): Promise<ItemEndResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ end, resolve, reject });
      if (!this.#storing) void this.#storeAll();
    });
  }

  async #storeAll(): Promise<void> {
    this.#storing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_ENDS);
      this.#waiting = this.#waiting.slice(MAX_ENDS);
      if (!(await this.#storeTogether(batch))) for (const one of batch) await this.#storeAlone(one);
    }
    this.#storing = false;
  }

  /** @returns false: nothing was stored, perhaps because of one of them */
  async #storeTogether(batch: readonly WaitingEnd[]): Promise<boolean> {
    try {
      const results = await this.#jobs.end(batch.map(({ end }) => end));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
      return true;
    } catch (error) {
      if (batch.length > 1) return false;
      batch[0]!.reject(error);
      return true;
    }
  }

  async #storeAlone({ end, resolve, reject }: WaitingEnd): Promise<void> {
    try {
      const [result] = await this.#jobs.end([end]);
      resolve(result!);
    } catch (error) {
      reject(error);
    }
  }
}
