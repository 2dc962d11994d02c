import type { ByteRoom } from '../../base/byte-room.ts';
import type { Deadline } from '../../base/deadline.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Job, ProxyType } from '../../domain/job.ts';
import { type AttemptParts, type Tried, tryOnce } from '../attempt.ts';
import type { Robots, RobotsCheck } from './check-robots.ts';

export interface RobotsAsk {
  readonly job: Job;
  readonly proxyType: ProxyType;
  readonly deadline: Deadline;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  readonly room: ByteRoom;
  readonly userId: string;
}

/**
 * Asks robots.txt before the first attempt, if that is to be asked; null: it is not. A fetch of it is no attempt, and has
 * at most half of the time.
 */
export async function askRobots(
  parts: AttemptParts & { readonly robots: Robots },
  { job, proxyType, deadline, allowUrl, room, userId }: RobotsAsk,
): Promise<RobotsCheck | null> {
  const mode = parts.robots.modeOf(job);
  if (mode === null) return null;
  let got: Tried | null = null;
  const fetch = async (of: Job): Promise<Tried> => {
    const step = { scraper: 'http', proxyType } as const;
    const chosen = { step, reason: 'robots.txt', pauseMs: 0, sharesTime: true };
    got = await tryOnce(parts, {
      ...{ n: 0, job: of, chosen, deadline, allowUrl, room, userId },
      ...{ used: [], document: null, pass: null },
    });
    return got;
  };
  try {
    return await parts.robots.check({ job, mode, userId }, fetch, deadline);
  } finally {
    const content = (got as Tried | null)?.delivered?.content ?? null;
    if (content !== null) room.free(content.bytes.buffer);
    room.keep(0);
  }
}
