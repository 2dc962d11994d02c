import { chance } from './chance.ts';
import { type Ask, DAY, type World } from './world.ts';

/** Asks for pages of one site that come together, so many at a time. */
export interface Batch {
  readonly at: number;
  readonly atOnce: number;
  readonly asks: readonly Ask[];
}

/** Few sites are asked often. A fifth of the asks has little time; three of ten have a ceiling. */
export function makeWorkload(world: World, seed: number): Batch[] {
  const random = chance(seed);
  const sites = world.all.length;
  const order = Array.from({ length: sites }, (_, n) => n);
  for (let i = sites - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  const weights: number[] = [];
  let all = 0;
  for (let i = 0; i < sites; i++) {
    all += (i + 1) ** -world.zipf;
    weights.push(all);
  }
  const batches: Batch[] = [];
  for (let n = 0; n < world.requests; ) {
    const site = order[firstAbove(weights, random() * all)]!;
    const size =
      random() < 0.5 ? 1 : Math.min(world.maxBatch ?? 400, Math.ceil((random() + 1e-4) ** -0.8 * 3));
    const at = random() * world.days * DAY;
    const crowd = random();
    const deadline = random() < 0.2 ? 15 : 60;
    const limit = random();
    const ceiling = limit < 0.2 ? 25 : limit < 0.3 ? 100 : 250;
    const paths = world.all[site]!.paths.length;
    const asks = Array.from({ length: size }, (_, i) => ({
      id: n + i,
      site,
      path: Math.floor(random() * paths),
      deadline,
      ceiling,
    }));
    batches.push({ at, atOnce: crowd < 0.5 ? 50 : crowd < 0.8 ? 10 : 3, asks });
    n += size;
  }
  return batches.sort((a, b) => a.at - b.at);
}

function firstAbove(sums: readonly number[], value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
