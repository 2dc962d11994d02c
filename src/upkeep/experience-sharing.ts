import type { MessageBus } from '../ports/coordination.ts';
import type { ExperienceLog } from '../ports/experience-log.ts';
import { parseChanges, serializeChanges } from '../router/change-list.ts';
import type { Experience, ExperienceChange } from '../router/experience.ts';

/**
 * What a stored row includes of the log: the batches of all replicas up to `upTo`, and those of the replica that stored it up to
 * `own`. So the state after a start is exact: nothing is counted twice.
 */
export interface IncludedChanges {
  readonly upTo: number;
  readonly origin: string;
  readonly own: number;
}

/** Text of a stored row: what it includes, then the data. */
export const withIncluded = (included: IncludedChanges, data: string): string =>
  `${JSON.stringify([included.upTo, included.origin, included.own])}\n${data}`;

/** The opposite. Rows that were stored without a log include nothing of it. */
export function splitIncluded(text: string): readonly [IncludedChanges | null, string] {
  if (!text.startsWith('[')) return [null, text];
  const end = text.indexOf('\n');
  const [upTo, origin, own] = JSON.parse(text.slice(0, end)) as [number, string, number];
  return [{ upTo, origin, own }, text.slice(end + 1)];
}

/** Batches that are read at once. */
const BATCHES_PER_READ = 200;
const MAX_CHANGES_PER_BATCH = 1_000;
/** Changes that wait while the storage fails. Later ones are not shared. */
const MAX_WAITING_CHANGES = 100_000;
/** A row lags behind the log by a few seconds, so that older batches are needed by nobody. */
const RETENTION_S = 600;

/** Tells the other replicas that there is a batch that they wait for. */
const CHANNEL = 'experience';
/** Several requests to share are one. */
const SOON_MS = 30;

interface SharingDeps {
  readonly log: ExperienceLog;
  readonly bus: MessageBus;
  /** Id of this process, new at each start. */
  readonly origin: string;
}

interface Batch {
  readonly number: number;
  readonly data: string;
}

/** Exchanges what is learned with other replicas, through a log. */
export class ExperienceSharing {
  readonly #experience: Experience;
  readonly #log: ExperienceLog;
  readonly #origin: string;
  /** Changes made here that are in no batch yet. */
  #waiting: ExperienceChange[] = [];
  /** Batches that are not in the log yet. */
  #batches: Batch[] = [];
  #lastBatch = 0;
  /** The log was read up to here. */
  #readTo = 0;
  #ownPosition = 0;
  /** Other replicas wait for what is in the next batches. */
  #isUrgent = false;
  readonly #bus: MessageBus;
  #unsubscribe = () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor(experience: Experience, { log, bus, origin }: SharingDeps) {
    this.#experience = experience;
    this.#log = log;
    this.#bus = bus;
    this.#origin = origin;
    experience.onChange = (change) => {
      if (this.#waiting.length < MAX_WAITING_CHANGES) this.#waiting.push(change);
    };
  }

  /** @param onDue called when `append` or `read` should be called soon */
  start(onDue: () => void): void {
    const soon = () => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        onDue();
      }, SOON_MS).unref();
    };
    this.#experience.shareSoon = () => {
      this.#isUrgent = true;
      soon();
    };
    this.#unsubscribe = this.#bus.subscribe(CHANNEL, (origin) => {
      if (origin !== this.#origin) soon();
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#experience.shareSoon = null;
  }

  /**
   * Takes the changes made here so far, to be added to the log by `append`. What is serialized in the same turn of the event loop
   * includes exactly these changes and those that `read` has applied.
   */
  take(): void {
    const changes = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < changes.length; i += MAX_CHANGES_PER_BATCH)
      this.#batches.push({
        number: ++this.#lastBatch,
        data: serializeChanges(changes.slice(i, i + MAX_CHANGES_PER_BATCH), this.#experience.routes),
      });
  }

  /** Adds what was taken to the log. @returns what rows include that were serialized when it was taken */
  async append(): Promise<IncludedChanges> {
    const upTo = this.#readTo;
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      this.#ownPosition = await this.#log.append(this.#origin, batch.number, batch.data);
      this.#batches.shift();
      if (this.#isUrgent && this.#batches.length === 0) this.#bus.publish(CHANNEL, this.#origin);
    }
    this.#isUrgent = false;
    return { upTo, origin: this.#origin, own: this.#ownPosition };
  }

  /**
   * Applies what other replicas have added since the last call. At the start: what the stored rows do not include.
   * @param sites what the stored rows of sites include; absent: nothing of what is read
   * @param population the same for the row of all sites together
   */
  async read(
    sites: ReadonlyMap<string, IncludedChanges> = NOTHING,
    population: IncludedChanges | null = null,
  ): Promise<void> {
    for (;;) {
      const batches = await this.#log.after(this.#readTo, BATCHES_PER_READ);
      for (const batch of batches) {
        this.#readTo = batch.position;
        if (batch.origin === this.#origin) continue;
        for (const change of parseChanges(batch.data, this.#experience.routes)) {
          const site = 'key' in change ? change.key.site : change.site;
          if (!includes(sites.get(site), batch)) this.#experience.apply(change, !includes(population, batch));
        }
      }
      if (batches.length < BATCHES_PER_READ) return;
    }
  }

  sweep(): Promise<void> {
    return this.#log.sweep(RETENTION_S);
  }
}

const NOTHING: ReadonlyMap<string, IncludedChanges> = new Map();

function includes(
  included: IncludedChanges | null | undefined,
  { position, origin }: { readonly position: number; readonly origin: string },
): boolean {
  if (included === null || included === undefined) return false;
  return position <= included.upTo || (origin === included.origin && position <= included.own);
}
