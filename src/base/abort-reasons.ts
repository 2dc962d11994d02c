/** Why work was ended from outside, as `AbortSignal.reason`; compare by identity. `DEADLINE` is in deadline.ts. */

export const HUNG_UP: Error = new Error('the caller hung up');

export const SHUTDOWN: Error = new Error('the service is shutting down');
