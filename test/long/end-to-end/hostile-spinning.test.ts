import { faceHostile } from '../../end-to-end/hostile/face.ts';
import { SPINNING } from '../../end-to-end/hostile/spinning.ts';

await faceHostile('pages whose scripts never end', SPINNING);
