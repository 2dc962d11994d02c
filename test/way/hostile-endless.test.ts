import { ENDLESS } from './hostile/endless.ts';
import { faceHostile } from './hostile/face.ts';

await faceHostile('pages that never end on their way', ENDLESS);
