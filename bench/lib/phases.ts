/** For each phase of a scrape in a browser: total seconds and number of scrapes since Sluice was started. */
export type PhaseTimes = Readonly<Record<string, { readonly seconds: number; readonly count: number }>>;

const LINE = /^sluice_browser_phase_seconds_(sum|count)\{phase="(\w+)"\} (\S+)$/gm;

/** Reads the times from `/metrics` of Sluice, in the order of the phases. */
export async function phasesOf(base: string): Promise<PhaseTimes> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const times: Record<string, { seconds: number; count: number }> = {};
  for (const [, suffix, phase, value] of text.matchAll(LINE)) {
    times[phase!] ??= { seconds: 0, count: 0 };
    times[phase!]![suffix === 'sum' ? 'seconds' : 'count'] = Number(value);
  }
  return times;
}

export function sincePhases(before: PhaseTimes, after: PhaseTimes): PhaseTimes {
  const difference = Object.entries(after).map(([phase, { seconds, count }]) => {
    const old = before[phase] ?? { seconds: 0, count: 0 };
    return [phase, { seconds: seconds - old.seconds, count: count - old.count }];
  });
  return Object.fromEntries(difference);
}

/** Mean milliseconds of a scrape in each phase, over several measurements. */
export function meanPhases(all: readonly PhaseTimes[]): readonly (readonly [phase: string, ms: number])[] {
  const names = [...new Set(all.flatMap((times) => Object.keys(times)))];
  return names.map((name) => {
    const seconds = all.reduce((sum, times) => sum + (times[name]?.seconds ?? 0), 0);
    const count = all.reduce((sum, times) => sum + (times[name]?.count ?? 0), 0);
    return [name, count === 0 ? 0 : (seconds * 1000) / count];
  });
}
