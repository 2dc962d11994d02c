import { faceHostile } from '../../end-to-end/hostile/face.ts';
import { GREEDY } from '../../end-to-end/hostile/greedy.ts';

await faceHostile('pages that take all there is', GREEDY);
