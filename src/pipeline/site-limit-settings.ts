import { NO_SITE_LIMITS, type SiteLimits } from '../domain/site-limits.ts';
import type { StoredSetting, StoredSettings } from '../ports/settings.ts';

/** Sites that may have limits. */
export const MAX_LIMITED_SITES = 1_000;

type Json = StoredSetting['json'];

/** The members of a stored setting. Budgets are in micro-units. */
const MEMBERS = {
  concurrency: 'concurrency',
  delayMs: 'delay_ms',
  budgetDay: 'budget_day',
  budgetMonth: 'budget_month',
} as const satisfies Record<keyof SiteLimits, string>;
const NAMES = Object.keys(MEMBERS) as readonly (keyof SiteLimits)[];

const isNothing = (limits: SiteLimits): boolean => NAMES.every((name) => limits[name] === null);

const limitsOf = (json: Json): SiteLimits =>
  Object.fromEntries(NAMES.map((name) => [name, json[MEMBERS[name]] ?? null])) as unknown as SiteLimits;

const jsonOf = (limits: SiteLimits): Json =>
  Object.fromEntries(NAMES.map((name) => [MEMBERS[name], limits[name]]));

/** The limits of sites that administrators have set, by host without the port. */
export class SiteLimitSettings {
  readonly #settings: StoredSettings;
  #limits: ReadonlyMap<string, SiteLimits> = new Map();

  constructor(settings: StoredSettings) {
    this.#settings = settings;
    const read = () => {
      this.#limits = new Map(
        settings
          .list('site_limits')
          .map(({ name, json }) => [name, limitsOf(json)] as const)
          .filter(([, limits]) => !isNothing(limits)),
      );
    };
    read();
    settings.onChange(read);
  }

  get all(): ReadonlyMap<string, SiteLimits> {
    return this.#limits;
  }

  of(host: string): SiteLimits {
    return this.#limits.get(host) ?? NO_SITE_LIMITS;
  }

  /** Sets limits; null removes one. What is left out stays. @returns `full`: too many sites have limits */
  async change(host: string, change: Partial<SiteLimits>): Promise<SiteLimits | 'full'> {
    for (;;) {
      const changed = await this.#settings.change('site_limits', host, (json) =>
        jsonOf({ ...limitsOf(json), ...change }),
      );
      // A site without limits keeps its row: another replica may be setting one.
      if (changed !== null) return limitsOf(changed);
      const limits = { ...NO_SITE_LIMITS, ...change };
      if (isNothing(limits)) return limits;
      const setting = { name: host, json: jsonOf(limits) };
      const result = await this.#settings.create('site_limits', setting, MAX_LIMITED_SITES);
      if (result === 'created') return limits;
      if (result === 'full') return 'full';
    }
  }
}
