import { faceHostile } from './hostile/face.ts';
import { RESTLESS } from './hostile/restless.ts';

await faceHostile('pages that ask, open and lead away', RESTLESS);
