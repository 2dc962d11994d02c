/** The name that a mistyped one most likely means; null when none is near (a third of the letters may differ). */
export function nearestName(name: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.ceil(name.length / 3);
  for (const candidate of names) {
    const distance = editDistance(name, candidate, least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/**
 * The names that a mistyped one may mean, the likeliest first: those with the same letters, those that contain it, those
 * that are spelt alike.
 */
export function nearestNames(name: string, names: readonly string[], most: number): readonly string[] {
  const wanted = name.toLowerCase();
  const far = Math.ceil(wanted.length / 2);
  const ranked = names.flatMap((one) => {
    const lower = one.toLowerCase();
    const distance = lower.includes(wanted) ? 0 : editDistance(wanted, lower, far);
    return distance < far ? [{ one, distance }] : [];
  });
  ranked.sort((a, b) => a.distance - b.distance || a.one.length - b.one.length);
  return ranked.slice(0, most).map(({ one }) => one);
}

/** Levenshtein's distance, or `limit` when it is not below it. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return Math.min(limit, row[b.length]!);
}
