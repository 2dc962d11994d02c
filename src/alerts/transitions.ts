import { uuid7 } from '../base/uuid7.ts';
import type { AlertEvent, AlertInstance, AlertRule } from '../domain/alerts.ts';
import type { AlertRound } from '../ports/alerts.ts';

/** What a rule watches, as it is now. */
export interface AlertReading {
  readonly subject: string;
  /** Higher is worse, but for rules with `<=`. */
  readonly value: number;
  /** The value in a sentence. */
  readonly summary: string;
}

const MINUTE_MS = 60_000;
/** A subject that fires and of which nothing is heard for so long is resolved: a site that is not scraped any more, a deleted key. */
const FORGOTTEN_MS = 24 * 60 * MINUTE_MS;
/** Values are stored again after so long, for those who look at them. */
const REFRESH_MS = MINUTE_MS;
/** Subjects of a rule at once. The worst come first. */
const MAX_INSTANCES = 50;

/** How values of a rule compare with its thresholds: with `<=`, lower is worse. */
class Scale {
  readonly #sign: 1 | -1;
  readonly #threshold: number;
  readonly #clearThreshold: number;

  constructor({ metric, threshold, clearThreshold }: AlertRule['conditions']) {
    this.#sign = metric?.op === '<=' ? -1 : 1;
    this.#threshold = threshold;
    this.#clearThreshold = clearThreshold;
  }

  /** @returns negative: `a` is worse */
  compare(a: number, b: number): number {
    return this.#sign * (b - a);
  }

  fires(value: number): boolean {
    return this.#sign * value >= this.#sign * this.#threshold;
  }

  resolves(value: number): boolean {
    if (this.#threshold === this.#clearThreshold) return !this.fires(value);
    return this.#sign * value <= this.#sign * this.#clearThreshold;
  }
}

/**
 * What changes for a rule by the present readings. A value from `threshold` on is pending, and fires after `forS` seconds; it is
 * resolved when it was at `clearThreshold` or below for `clearForS` seconds. Between the two, nothing changes.
 * @param readings the subjects of which something is known; too few samples are not known
 */
export function evaluateRule(rule: AlertRule, readings: readonly AlertReading[], now: number): AlertRound {
  const scale = new Scale(rule.conditions);
  const round = new Round(rule, scale, now);
  const known = new Set(rule.instances.map(({ subject }) => subject));
  const bySubject = new Map(readings.map((reading) => [reading.subject, reading]));
  for (const instance of rule.instances) round.follow(instance, bySubject.get(instance.subject) ?? null);
  const begun = readings
    .filter(({ subject, value }) => !known.has(subject) && scale.fires(value))
    .sort((a, b) => scale.compare(a.value, b.value))
    .slice(0, Math.max(0, MAX_INSTANCES - known.size));
  for (const reading of begun) round.begin(reading);
  return round.result;
}

class Round {
  readonly #rule: AlertRule;
  readonly #scale: Scale;
  readonly #now: number;
  readonly #events: AlertEvent[] = [];
  readonly #instances: AlertInstance[] = [];
  readonly #removed: string[] = [];
  readonly #late: number[] = [];

  constructor(rule: AlertRule, scale: Scale, now: number) {
    this.#rule = rule;
    this.#scale = scale;
    this.#now = now;
  }

  get result(): AlertRound {
    return {
      rule: this.#rule,
      events: this.#events,
      instances: this.#instances,
      removed: this.#removed,
      late: this.#late,
      now: this.#now,
    };
  }

  begin({ subject, value, summary }: AlertReading): void {
    const now = this.#now;
    const pending: AlertInstance = {
      subject,
      state: 'pending',
      since: now,
      value,
      summary,
      seenAt: now,
      calmSince: null,
      firedN: null,
      isNotified: false,
    };
    if (this.#rule.forS === 0) this.#fire(pending);
    else this.#instances.push(pending);
  }

  follow(before: AlertInstance, reading: AlertReading | null): void {
    const now = this.#now;
    const isDue = reading !== null && now - before.seenAt >= REFRESH_MS && reading.summary !== before.summary;
    const instance =
      reading === null ? before : { ...before, value: reading.value, summary: reading.summary, seenAt: now };
    if (before.state === 'firing') this.#followFiring(before, instance, reading, isDue);
    else if (reading === null || !this.#scale.fires(reading.value)) this.#removed.push(before.subject);
    else if (now - before.since >= this.#rule.forS * 1000) this.#fire(instance);
    else if (isDue) this.#instances.push(instance);
  }

  #followFiring(
    before: AlertInstance,
    instance: AlertInstance,
    reading: AlertReading | null,
    isDue: boolean,
  ): void {
    const { clearForS } = this.#rule;
    const now = this.#now;
    const isCalm = reading === null || this.#scale.resolves(reading.value);
    const calmSince = isCalm ? (before.calmSince ?? now) : null;
    const neededMs = reading === null ? FORGOTTEN_MS : clearForS * 1000;
    if (calmSince !== null && now - calmSince >= neededMs) {
      this.#resolve(instance, reading);
      return;
    }
    // The silence is over, and nobody was told yet.
    const isLate = !before.isNotified && !this.#isSilenced;
    if (isLate) this.#late.push(before.firedN!);
    if (isLate || isDue || calmSince !== before.calmSince)
      this.#instances.push({ ...instance, calmSince, isNotified: before.isNotified || isLate });
  }

  get #isSilenced(): boolean {
    return (this.#rule.silencedUntil ?? 0) > this.#now;
  }

  #fire(instance: AlertInstance): void {
    const isSilenced = this.#isSilenced;
    const firedN = this.#addEvent({ ...instance, state: 'firing', isSilenced });
    this.#instances.push({ ...instance, state: 'firing', firedN, isNotified: !isSilenced });
  }

  /** Who was not told that it fires is not told that it is over. */
  #resolve({ subject, since, isNotified }: AlertInstance, reading: AlertReading | null): void {
    this.#removed.push(subject);
    this.#addEvent({
      subject,
      since,
      value: reading?.value ?? null,
      summary: reading?.summary ?? 'There has been no data for a day.',
      state: 'resolved',
      isSilenced: this.#isSilenced || !isNotified,
    });
  }

  /** @returns its number */
  #addEvent(
    facts: Pick<AlertEvent, 'subject' | 'since' | 'value' | 'summary' | 'state' | 'isSilenced'>,
  ): number {
    const { id: ruleId, userId, name, kind, conditions, lastN } = this.#rule;
    const { subject, since, value, summary, state, isSilenced } = facts;
    const n = lastN + this.#events.length + 1;
    this.#events.push({
      id: uuid7(this.#now),
      ruleId,
      n,
      userId,
      state,
      at: this.#now,
      name,
      kind,
      subject,
      value,
      threshold: conditions.threshold,
      since,
      summary,
      isSilenced,
    });
    return n;
  }
}
