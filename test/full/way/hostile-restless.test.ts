import { faceHostile } from '../../way/hostile/face.ts';
import { RESTLESS } from '../../way/hostile/restless.ts';

await faceHostile('pages that ask, open and lead away', RESTLESS);
