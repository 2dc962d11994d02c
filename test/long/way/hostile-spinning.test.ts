import { faceHostile } from '../../way/hostile/face.ts';
import { SPINNING } from '../../way/hostile/spinning.ts';

await faceHostile('pages whose scripts never end', SPINNING);
