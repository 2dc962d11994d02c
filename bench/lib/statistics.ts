/** The middle value; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that this part of them does not exceed (nearest rank). */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(sorted.length * part)) - 1]!;
}

/** Half the distance between smallest and largest, in percent of the median. */
export function spreadPercent(values: readonly number[]): number {
  return ((Math.max(...values) - Math.min(...values)) / 2 / median(values)) * 100;
}

/** Least-squares slope of y over x. */
export function slope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mx = points.reduce((sum, p) => sum + p.x, 0) / points.length;
  const my = points.reduce((sum, p) => sum + p.y, 0) / points.length;
  let above = 0;
  let below = 0;
  for (const { x, y } of points) {
    above += (x - mx) * (y - my);
    below += (x - mx) ** 2;
  }
  return above / below;
}
