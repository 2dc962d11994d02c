/** The numbers of a version; what is not known is older than everything. */
const parts = (version: string | null): readonly number[] =>
  version === null ? [] : version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** For sorting: the newer version first. */
export function newerFirst(a: string | null, b: string | null): number {
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (right[at] ?? -1) - (left[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
