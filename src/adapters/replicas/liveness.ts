/** A replica that has not renewed its registration for this time counts as dead. */
export const LEASE_SECONDS = 10;

/** SQL condition: the replica of this row lives. */
export const LIVES = `renewed_at > clock_timestamp() - interval '${LEASE_SECONDS} seconds'`;
