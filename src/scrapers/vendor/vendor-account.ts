import type { Clock } from '../../base/time.ts';
import type { VendorOutage, VendorReason } from '../../domain/vendors.ts';

/** How long a vendor is left alone that did not say it. */
const REST_MS: Readonly<Partial<Record<VendorReason, number>>> = {
  auth: 600_000,
  credits: 600_000,
  throttled: 10_000,
  timeout: 30_000,
  protocol: 30_000,
};
/** Each further rest is twice as long, up to this. */
const MAX_DOUBLED_MS = 300_000;
/** Of a rest that the vendor asks for. */
const MAX_REST_MS = 3_600_000;
/** Failures one after the other before a vendor is left alone that was throttled, slow or down: single ones happen. */
const FAILURES_BEFORE_REST = 3;
/** After a rest one attempt is made. The others wait so long for what it shows. */
const TRIAL_MS = 30_000;

/** Of an attempt, before one has ended. */
const USUAL_SECONDS = 8;
/** Weight of the latest duration against the earlier ones. */
const DURATION_WEIGHT = 0.1;
/** A vendor that had less time to answer, or less than so many times its usual duration, is not to blame for being late. */
const FAIR_SECONDS = 5;
const FAIR_TIMES = 2;

/** Why a vendor is left alone, and how long. */
export interface Rest {
  readonly reason: VendorReason;
  readonly ms: number;
}

/** How one vendor does: when it is left alone, how long its attempts take, and whether the slots of its account are taken. */
export class VendorAccount {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #slots: number | null;
  readonly #onRest: (rest: Rest | null) => void;
  #rest: (VendorOutage & { readonly ms: number }) | null = null;
  #failuresInTurn = 0;
  /** Attempts that run, and that wait for a slot. */
  #present = 0;
  #pages = 0;
  /** Natural logarithm of the usual duration in seconds, so that one slow attempt does not change much. */
  #logSeconds = Math.log(USUAL_SECONDS);

  /**
   * @param slots attempts at once that the account allows; null: any number
   * @param onRest is told what `noteTrouble` and `notePage` conclude; null: the rest has ended by a page
   */
  constructor(
    clock: Pick<Clock, 'now'>,
    slots: number | null,
    onRest: (rest: Rest | null) => void = () => {},
  ) {
    this.#clock = clock;
    this.#slots = slots;
    this.#onRest = onRest;
  }

  /** Why it is left alone now; null: it is not. */
  resting(): VendorReason | null {
    const rest = this.#rest;
    return rest !== null && rest.until > this.#clock.now() ? rest.reason : null;
  }

  /** Why and since when it was left alone, with no page since; null: it was not. */
  outage(): VendorOutage | null {
    if (this.#rest === null) return null;
    const { reason, since, until } = this.#rest;
    return { reason, since, until };
  }

  /** The usual duration of an attempt, without the wait for a slot. */
  seconds(): number {
    return Math.exp(this.#logSeconds);
  }

  /** How long the next attempt of this process would wait for a slot. */
  waitSeconds(): number {
    if (this.#slots === null) return 0;
    return (Math.max(0, this.#present + 1 - this.#slots) * this.seconds()) / this.#slots;
  }

  /** Attempts of this process that run or wait for a slot. */
  present(): number {
    return this.#present;
  }

  /** An attempt begins, perhaps with a wait for a slot. */
  enter(): void {
    this.#present++;
    if (this.#rest === null || this.resting() !== null) return;
    this.#rest = { ...this.#rest, until: this.#clock.now() + TRIAL_MS };
  }

  leave(): void {
    this.#present--;
  }

  /** Leaves the vendor alone for some time. @param rest null: no longer */
  rest(rest: Rest | null): void {
    const now = this.#clock.now();
    this.#rest = rest === null ? null : { ...rest, until: now + rest.ms, since: this.#rest?.since ?? now };
    if (rest === null) this.#failuresInTurn = 0;
  }

  notePage(seconds: number): void {
    if (this.#rest !== null) this.#onRest(null);
    this.rest(null);
    const weight = Math.max(DURATION_WEIGHT, 1 / ++this.#pages);
    this.#logSeconds += weight * (Math.log(Math.max(0.1, seconds)) - this.#logSeconds);
  }

  /** An attempt did not end in the time that it had. @returns whether that is the fault of the vendor */
  noteLate(seconds: number): boolean {
    const usual = this.#pages === 0 ? 0 : this.seconds();
    return seconds >= Math.max(FAIR_SECONDS, FAIR_TIMES * usual) && this.noteTrouble('timeout', null);
  }

  /**
   * The vendor answered that it failed.
   * @param retryAfterMs how long it asks to be left alone; null: it does not
   * @returns whether the vendor itself does not work: it was not the target, and is not the account
   */
  noteTrouble(reason: VendorReason, retryAfterMs: number | null): boolean {
    const usual = REST_MS[reason];
    if (usual === undefined) return false;
    this.#failuresInTurn++;
    const isOfAccount = reason === 'auth' || reason === 'credits';
    const isSure = isOfAccount || retryAfterMs !== null;
    if (isSure || this.#failuresInTurn >= FAILURES_BEFORE_REST) {
      const doubled = this.#rest === null ? usual : Math.min(MAX_DOUBLED_MS, 2 * this.#rest.ms);
      const ms = Math.min(MAX_REST_MS, retryAfterMs ?? (isOfAccount ? usual : doubled));
      this.rest({ reason, ms });
      this.#onRest({ reason, ms });
    }
    return !isOfAccount;
  }
}
