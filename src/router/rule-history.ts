import { createHash } from 'node:crypto';
import type { ExtractRule } from '../domain/page-action.ts';
import type { RuleResult } from '../domain/reading.ts';

/** What is known of a rule of `extract` at a site. Times are ms since the epoch. */
interface RuleState {
  /** When it found something last. */
  foundAt: number;
  /** When it first found nothing after that; null: it found something last time. */
  missingSince: number | null;
  /** How often in a row it has found nothing. */
  misses: number;
  /** The longest such row that ended: a rule that only fits some pages of a site has one. */
  longestMisses: number;
}

/** A rule that found something before, and finds nothing now. */
export interface DriftedRule {
  readonly pointer: string;
  /** When it found something last, and when it first found nothing after that; ms since the epoch. */
  readonly lastFound: number;
  readonly since: number;
}

const MAX_RULES = 20_000;
const MAX_RULES_OF_USER = 2_000;
/** A time of the last find is stored again when it is so much later, so that not each scrape is written. */
const STORE_AFTER_MS = 3_600_000;

/**
 * Remembers which rules of `extract` have found something at which sites, for each user. A rule is known by its definition, so
 * that a changed rule is another one. If there are too many, those that were used least recently are forgotten.
 */
export class RuleHistory {
  /** By user, then by site and rule. The least recently used first. */
  readonly #users = new Map<string, Map<string, RuleState>>();
  #size = 0;
  readonly #changed = new Set<string>();
  readonly #forgotten = new Set<string>();

  /**
   * Adds the results of the rules on one page.
   * @returns the rules that have found nothing more often in a row than ever before
   */
  observe(
    userId: string,
    site: string,
    rules: readonly ExtractRule[],
    results: readonly RuleResult[],
    now: number,
  ): readonly DriftedRule[] {
    const byPointer = new Map(allRules(rules).map((rule) => [rule.pointer, rule]));
    const drifted: DriftedRule[] = [];
    for (const { pointer, found } of results) {
      const rule = byPointer.get(pointer);
      if (rule === undefined) continue;
      const key = `${site} ${fingerprint(rule)}`;
      if (found) this.#found(userId, key, now);
      else {
        const missing = this.#missed(userId, key, now);
        if (missing !== null) drifted.push({ pointer, ...missing });
      }
    }
    return drifted;
  }

  #found(userId: string, key: string, now: number): void {
    const known = this.#users.get(userId)?.get(key);
    const isNews = known === undefined || known.misses > 0 || now - known.foundAt > STORE_AFTER_MS;
    const state = {
      foundAt: isNews ? now : known.foundAt,
      missingSince: null,
      misses: 0,
      longestMisses: Math.max(known?.longestMisses ?? 0, known?.misses ?? 0),
    };
    this.#set(userId, key, state);
    if (isNews) this.#changed.add(`${userId} ${key}`);
  }

  #missed(userId: string, key: string, now: number): Omit<DriftedRule, 'pointer'> | null {
    const state = this.#users.get(userId)?.get(key);
    if (state === undefined) return null;
    const since = state.missingSince ?? now;
    const misses = state.misses + 1;
    this.#set(userId, key, { ...state, misses, missingSince: since });
    this.#changed.add(`${userId} ${key}`);
    return misses > state.longestMisses ? { lastFound: state.foundAt, since } : null;
  }

  #set(userId: string, key: string, state: RuleState): void {
    let rules = this.#users.get(userId);
    if (rules === undefined) {
      rules = new Map();
      this.#users.set(userId, rules);
    }
    // At the end, because it is the one used last.
    if (!rules.delete(key)) this.#size++;
    rules.set(key, state);
    this.#forgotten.delete(`${userId} ${key}`);
    if (rules.size > MAX_RULES_OF_USER) this.#forgetOldest(userId);
    if (this.#size > MAX_RULES) this.#forgetOldest(this.#largestUser());
  }

  #forgetOldest(userId: string): void {
    const rules = this.#users.get(userId)!;
    const [oldest] = rules.keys();
    rules.delete(oldest!);
    if (rules.size === 0) this.#users.delete(userId);
    this.#size--;
    this.#changed.delete(`${userId} ${oldest}`);
    this.#forgotten.add(`${userId} ${oldest}`);
  }

  #largestUser(): string {
    let largest = '';
    let size = 0;
    for (const [userId, rules] of this.#users)
      if (rules.size > size) {
        largest = userId;
        size = rules.size;
      }
    return largest;
  }

  /** At most `limit` rules that have changed since they were taken last, each with its state as text. */
  takeChanged(limit: number): (readonly [name: string, data: string])[] {
    const changed: (readonly [string, string])[] = [];
    for (const name of this.#changed) {
      if (changed.length === limit) break;
      this.#changed.delete(name);
      const [userId, key] = splitName(name);
      const state = this.#users.get(userId)?.get(key);
      if (state !== undefined) changed.push([name, JSON.stringify(state)]);
    }
    return changed;
  }

  /** At most `limit` rules that were forgotten since they were taken last. */
  takeForgotten(limit: number): string[] {
    const names = [...this.#forgotten].slice(0, limit);
    for (const name of names) this.#forgotten.delete(name);
    return names;
  }

  /** Marks rules as changed again, because they could not be stored. */
  markChanged(names: readonly string[]): void {
    for (const name of names) this.#changed.add(name);
  }

  /** Takes over what other replicas have stored, except of rules that have changed here meanwhile. @param rows the latest first */
  update(rows: readonly { readonly name: string; readonly data: string }[]): void {
    for (const { name, data } of rows.toReversed()) {
      const [userId, key] = splitName(name);
      const state = parseState(data);
      if (state !== null && !this.#changed.has(name)) this.#set(userId, key, state);
    }
  }

  /** Adds stored rules that are not known yet. @param rows the latest first */
  restore(rows: readonly { readonly name: string; readonly data: string }[]): void {
    for (const { name, data } of rows.toReversed()) {
      const [userId, key] = splitName(name);
      const state = parseState(data);
      if (state !== null && this.#users.get(userId)?.has(key) !== true) this.#set(userId, key, state);
    }
  }
}

function splitName(name: string): readonly [userId: string, key: string] {
  const space = name.indexOf(' ');
  return [name.slice(0, space), name.slice(space + 1)];
}

/** null: written by another version. */
function parseState(data: string): RuleState | null {
  const state = JSON.parse(data) as RuleState;
  return typeof state.foundAt === 'number' && typeof state.longestMisses === 'number' ? state : null;
}

/** The rules with those that are nested in them. */
const allRules = (rules: readonly ExtractRule[]): readonly ExtractRule[] =>
  rules.flatMap((rule) => [rule, ...(rule.output.kind === 'rules' ? allRules(rule.output.rules) : [])]);

/** The same for rules with the same definition, wherever they stand in a request. */
function fingerprint(rule: ExtractRule): string {
  const definition = JSON.stringify(rule, (member, value: unknown) =>
    member === 'pointer' ? undefined : value,
  );
  return createHash('sha256').update(definition).digest('base64url').slice(0, 22);
}
