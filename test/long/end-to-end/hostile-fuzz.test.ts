import { faceHostile } from '../../end-to-end/hostile/face.ts';
import { fuzzPages } from '../../end-to-end/hostile/fuzz.ts';

const LONG = process.env.LONG === '1';
/** Another one each day of a long run. */
const seed = LONG ? Math.floor(Date.now() / 86_400_000) : 6;

await faceHostile(`pages that were generated (seed ${seed})`, fuzzPages(LONG ? 150 : 14, seed));
