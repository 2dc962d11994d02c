import { eventually } from '../../helpers/service.ts';

const CHANCES = 3;
const COMING_MS = 15_000;

/**
 * Settles when all that must come has come. On a busy machine browsers leave out what is only ahead of need, and give up what
 * takes long: pages are loaded anew before anything counts as missing.
 */
export async function chances(hasCome: () => boolean, anew: () => Promise<unknown>): Promise<void> {
  for (let left = CHANCES; ; left--) {
    if (await eventually(hasCome, COMING_MS).catch(() => false)) return;
    if (left === 1) return;
    await anew();
  }
}
