import type { SampleKind, SampleMetric, SampleValues } from '../domain/samples.ts';

/** Counts the attempts through each pool and by each vendor, until they are stored. */
export class SampleCounters {
  readonly #counts = new Map<string, { kind: SampleKind; name: string; values: Record<string, number> }>();

  /** @param name of the pool or vendor. @param counts null: not known, nothing is counted */
  add<Kind extends 'pool' | 'vendor'>(
    kind: Kind,
    name: string,
    counts: { readonly [Metric in SampleMetric<Kind>]?: number | null },
  ): void {
    const key = `${kind} ${name}`;
    let found = this.#counts.get(key);
    if (found === undefined) {
      found = { kind, name, values: {} };
      this.#counts.set(key, found);
    }
    for (const [metric, count] of Object.entries(counts as Readonly<Record<string, number | null>>))
      if (count !== null) found.values[metric] = (found.values[metric] ?? 0) + count;
  }

  /** What was counted since the last call. */
  drain(): readonly { readonly kind: SampleKind; readonly name: string; readonly values: SampleValues }[] {
    const drained = [...this.#counts.values()];
    this.#counts.clear();
    return drained;
  }
}
