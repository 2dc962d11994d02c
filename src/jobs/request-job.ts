import type { NewItem } from '../domain/jobs.ts';
import type { Sealer } from '../domain/sealing.ts';
import { isRepeatable } from '../domain/task.ts';
import type { ItemRequest } from '../wire/jobs/item-request.ts';
import { sealItemRequest } from './job-spec.ts';

/** An item for a request of a caller. @param userId whose job it is */
export function itemOfRequest({ ref, task, members }: ItemRequest, userId: string, sealer: Sealer): NewItem {
  return {
    ref,
    url: task.url,
    host: task.host,
    fingerprint: null,
    depth: 0,
    parent: null,
    request: sealItemRequest(members, userId, sealer),
    repeatable: isRepeatable(task.method),
    skipped: null,
    form: null,
  };
}
