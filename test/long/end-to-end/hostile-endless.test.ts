import { ENDLESS } from '../../end-to-end/hostile/endless.ts';
import { faceHostile } from '../../end-to-end/hostile/face.ts';

await faceHostile('pages that never end on their way', ENDLESS);
