import { execFileSync } from 'node:child_process';

/** A public address of this "machine". */
export const OUR_V4 = '93.184.216.34';
export const OUR_V6 = '2606:2800:220:1::1';

/**
 * Every address of the world leads to this machine, public, private and metadata alike: whatever is asked for would
 * answer, and nothing can leave.
 */
export function everythingIsHere(): void {
  for (const words of [
    'link set lo up',
    'route add local 0.0.0.0/0 dev lo',
    '-6 route add local ::/0 dev lo',
    `addr add ${OUR_V4}/32 dev lo`,
    `-6 addr add ${OUR_V6}/128 dev lo nodad`,
  ]) {
    execFileSync('ip', words.split(' '), { stdio: 'pipe' });
  }
}
