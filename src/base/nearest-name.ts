/** The name that a mistyped name most likely means; null: more than a third of the letters differ from every name. */
export function nearestName(name: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.ceil(name.length / 3);
  for (const candidate of names) {
    const distance = editDistance(name, candidate, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

/** The names that a mistyped name may mean: first those that contain it, then those of which less than half differs. */
export function nearestNames(name: string, names: readonly string[], maxNames: number): readonly string[] {
  const wanted = name.toLowerCase();
  const limit = Math.ceil(wanted.length / 2);
  const ranked = names.flatMap((candidate) => {
    const lower = candidate.toLowerCase();
    const distance = lower.includes(wanted) ? 0 : editDistance(wanted, lower, limit);
    return distance < limit ? [{ candidate, distance }] : [];
  });
  ranked.sort((a, b) => a.distance - b.distance || a.candidate.length - b.candidate.length);
  return ranked.slice(0, maxNames).map(({ candidate }) => candidate);
}

/** The Levenshtein distance, at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return Math.min(limit, row[b.length]!);
}
