import { faceHostile } from './hostile/face.ts';
import { GREEDY } from './hostile/greedy.ts';

await faceHostile('pages that take all there is', GREEDY);
