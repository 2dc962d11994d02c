import { faceHostile } from '../../way/hostile/face.ts';
import { GREEDY } from '../../way/hostile/greedy.ts';

await faceHostile('pages that take all there is', GREEDY);
