import { faceHostile } from '../../end-to-end/hostile/face.ts';
import { RESTLESS } from '../../end-to-end/hostile/restless.ts';

await faceHostile('pages that ask, open and lead away', RESTLESS);
