import { ENDLESS } from '../../way/hostile/endless.ts';
import { faceHostile } from '../../way/hostile/face.ts';

await faceHostile('pages that never end on their way', ENDLESS);
