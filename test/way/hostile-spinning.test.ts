import { faceHostile } from './hostile/face.ts';
import { SPINNING } from './hostile/spinning.ts';

await faceHostile('pages whose scripts never end', SPINNING);
