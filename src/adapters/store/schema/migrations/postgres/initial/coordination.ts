/**
 * What replicas share while they run (`ports/coordination.ts`). Times are of the server. The functions read the clock with
 * `clock_timestamp()`, which goes on during a transaction.
 * - An *epoch* is a period in which one server counts places: this database, or Redis. A replica enters an epoch with all that it
 *   holds, and then says so in `limit_replicas`. Places are given only when every live replica is in the epoch.
 * - Unlogged tables are empty after a crash. So is `limit_marker` then, which begins a new epoch.
 */
export const COORDINATION: readonly string[] = [
  ...tables(),
  ...replicaFunctions(),
  exchangeFunction(),
  sweepFunction(),
  ...valueFunctions(),
];

function tables(): readonly string[] {
  return [
    // `settles_at`: no places are given before. `redis_run`: the run id of the Redis server that counts; null: this database does.
    // `installation` keeps those apart that share a Redis server.
    `CREATE TABLE coordination_epoch (
  installation UUID NOT NULL DEFAULT gen_random_uuid(),
  number BIGINT NOT NULL,
  redis_run TEXT,
  settles_at TIMESTAMPTZ NOT NULL
)`,
    `INSERT INTO coordination_epoch (number, redis_run, settles_at) VALUES (1, NULL, '-infinity')`,
    // Logged, unlike `live_replicas`: after a crash, who may still hold places must be known.
    // A replica is live until `lease_ends`. It has reached the Redis server `redis_run` since `redis_since`; null: it reaches none.
    `CREATE TABLE limit_replicas (
  id UUID PRIMARY KEY,
  epoch BIGINT NOT NULL,
  lease_ends TIMESTAMPTZ NOT NULL,
  redis_run TEXT,
  redis_since TIMESTAMPTZ
)`,
    'CREATE UNLOGGED TABLE limit_marker (epoch BIGINT NOT NULL)',
    'INSERT INTO limit_marker (epoch) VALUES (1)',
    // The number of the last exchange of each replica, so that one that was delayed changes nothing.
    `CREATE UNLOGGED TABLE limit_exchanges (
  replica UUID NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (replica, epoch)
) WITH (fillfactor = 50)`,
    `CREATE UNLOGGED TABLE limit_places (
  epoch BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  replica UUID NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (epoch, name, replica)
) WITH (fillfactor = 50)`,
    `CREATE TABLE shared_counters (
  name TEXT COLLATE "C" PRIMARY KEY,
  total BIGINT NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 70)`,
    `CREATE TABLE shared_values (
  key TEXT COLLATE "C" PRIMARY KEY,
  value TEXT NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL
)`,
    'CREATE INDEX shared_values_expiry ON shared_values (expires_at)',
  ];
}

function replicaFunctions(): readonly string[] {
  return [
    /**
     * Begins the epoch after 'p_from', unless another replica has done so.
     * @param p_pause no places are given for so long
     */
    `CREATE FUNCTION coordination_begin(p_from BIGINT, p_redis_run TEXT, p_pause INTERVAL) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE coordination_epoch
  SET number = number + 1, redis_run = p_redis_run, settles_at = clock_timestamp() + p_pause
  WHERE number = p_from;
  IF NOT FOUND THEN RETURN FALSE; END IF;
  DELETE FROM limit_marker;
  IF p_redis_run IS NULL THEN INSERT INTO limit_marker (epoch) VALUES (p_from + 1); END IF;
  RETURN TRUE;
END $$`,
    /**
     * Renews the lease of a replica that has entered the epoch 'p_epoch'; null: a new replica, which holds nothing. The lock on the
     * row of the epoch makes a change of the epoch wait, so that the new one knows of this replica.
     */
    `CREATE FUNCTION replica_renew(p_id UUID, p_epoch BIGINT, p_redis_run TEXT, OUT epoch BIGINT, OUT redis_run TEXT, OUT settled BOOLEAN,
  OUT renewed BOOLEAN, OUT redis_well BOOLEAN)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  current coordination_epoch;
  now TIMESTAMPTZ;
BEGIN
  SELECT * INTO STRICT current FROM coordination_epoch;
  IF current.redis_run IS NULL AND NOT EXISTS (SELECT FROM limit_marker m WHERE m.epoch = current.number) THEN
    PERFORM coordination_begin(current.number, NULL, INTERVAL '10 s');
  END IF;
  SELECT * INTO STRICT current FROM coordination_epoch FOR SHARE;
  now := clock_timestamp();
  IF p_epoch IS NULL THEN
    INSERT INTO limit_replicas (id, epoch, lease_ends, redis_run, redis_since)
    VALUES (p_id, current.number, now + INTERVAL '10 s', p_redis_run, now)
    -- The answer to the first call may have been lost.
    ON CONFLICT (id) DO UPDATE SET epoch = current.number, lease_ends = now + INTERVAL '10 s';
    renewed := TRUE;
  ELSIF p_epoch = current.number THEN
    UPDATE limit_replicas r
    SET epoch = p_epoch, lease_ends = now + INTERVAL '10 s', redis_run = p_redis_run,
      redis_since = CASE WHEN r.redis_run = p_redis_run THEN r.redis_since ELSE now END
    WHERE r.id = p_id AND r.lease_ends > now;
    renewed := FOUND;
  ELSE
    renewed := FALSE;
  END IF;
  epoch := current.number;
  redis_run := current.redis_run;
  settled := now >= current.settles_at
    AND NOT EXISTS (SELECT FROM limit_replicas r WHERE r.epoch <> current.number AND r.lease_ends > now);
  -- Nobody counts yet in the first epoch of all.
  redis_well := p_redis_run IS NOT NULL AND NOT EXISTS (
    SELECT FROM limit_replicas r
    WHERE r.lease_ends > now AND (r.redis_run IS DISTINCT FROM p_redis_run
      OR (r.redis_since > now - INTERVAL '30 s' AND current.number > 1)));
END $$`,
  ];
}

function exchangeFunction(): string {
  /**
   * Sets how many places a replica holds under 'p_names', and gives it further ones. Claims are listed by group: claim i belongs to
   * the group 'p_claim_groups[i]', which wants 'p_wanted[group]' places, and asks for a place under 'p_names[p_claim_names[i]]'.
   * No row is returned if the replica must enter the epoch again first.
   */
  return `CREATE FUNCTION limits_exchange(p_replica UUID, p_epoch BIGINT, p_seq BIGINT, p_names TEXT[], p_held INTEGER[],
  p_wanted INTEGER[], p_claim_groups INTEGER[], p_claim_names INTEGER[], p_claim_limits INTEGER[])
RETURNS TABLE (granted INTEGER[], remaining INTEGER[])
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  lock_key INTEGER;
  totals INTEGER[];
  added INTEGER[] := array_fill(0, ARRAY[cardinality(p_names)]);
  room INTEGER;
  rest INTEGER;
BEGIN
  IF NOT EXISTS (SELECT FROM limit_marker m WHERE m.epoch = p_epoch)
    OR NOT EXISTS (SELECT FROM limit_replicas r WHERE r.id = p_replica AND r.lease_ends > clock_timestamp())
  THEN RETURN; END IF;
  INSERT INTO limit_exchanges AS e (replica, epoch, seq) VALUES (p_replica, p_epoch, p_seq)
  ON CONFLICT (replica, epoch) DO UPDATE SET seq = p_seq WHERE e.seq < p_seq;
  IF NOT FOUND THEN RETURN; END IF;
  granted := array_fill(0, ARRAY[cardinality(p_wanted)]);
  remaining := granted;
  IF cardinality(p_wanted) > 0 THEN
    -- In order, so that two exchanges never wait for each other.
    FOR lock_key IN SELECT DISTINCT hashtext(p_names[n]) FROM unnest(p_claim_names) n ORDER BY 1 LOOP
      PERFORM pg_advisory_xact_lock(1399612262, lock_key);
    END LOOP;
    -- A statement of its own, so that it sees what was committed before the locks were granted.
    SELECT array_agg(t.held + coalesce((
      SELECT sum(p.count) FROM limit_places p JOIN limit_replicas r ON r.id = p.replica
      WHERE p.epoch = p_epoch AND p.name = t.name AND p.replica <> p_replica AND r.lease_ends > clock_timestamp()), 0)
      ORDER BY t.n)
    INTO totals FROM unnest(p_names, p_held) WITH ORDINALITY AS t (name, held, n);
    FOR g IN 1 .. cardinality(p_wanted) LOOP
      room := p_wanted[g];
      FOR c IN 1 .. cardinality(p_claim_groups) LOOP
        CONTINUE WHEN p_claim_groups[c] <> g;
        room := least(room, p_claim_limits[c] - totals[p_claim_names[c]]);
      END LOOP;
      room := greatest(room, 0);
      rest := 2147483647;
      FOR c IN 1 .. cardinality(p_claim_groups) LOOP
        CONTINUE WHEN p_claim_groups[c] <> g;
        totals[p_claim_names[c]] := totals[p_claim_names[c]] + room;
        added[p_claim_names[c]] := added[p_claim_names[c]] + room;
        rest := least(rest, p_claim_limits[c] - totals[p_claim_names[c]]);
      END LOOP;
      granted[g] := room;
      remaining[g] := greatest(rest, 0);
    END LOOP;
  END IF;
  INSERT INTO limit_places AS p (epoch, name, replica, count)
  SELECT p_epoch, t.name, p_replica, t.held + t.added FROM unnest(p_names, p_held, added) AS t (name, held, added)
  ON CONFLICT (epoch, name, replica) DO UPDATE SET count = EXCLUDED.count WHERE p.count <> EXCLUDED.count;
  RETURN NEXT;
END $$`;
}

function sweepFunction(): string {
  // Skips what is locked: waiting for it could lead to a deadlock.
  return `CREATE FUNCTION coordination_sweep() RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  current BIGINT := (SELECT number FROM coordination_epoch);
BEGIN
  DELETE FROM limit_replicas WHERE id IN (
    SELECT id FROM limit_replicas WHERE lease_ends < clock_timestamp() - INTERVAL '1 min' FOR UPDATE SKIP LOCKED);
  DELETE FROM limit_exchanges WHERE ctid IN (
    SELECT e.ctid FROM limit_exchanges e
    WHERE e.epoch < current OR NOT EXISTS (SELECT FROM limit_replicas r WHERE r.id = e.replica) FOR UPDATE SKIP LOCKED);
  DELETE FROM limit_places WHERE ctid IN (
    SELECT p.ctid FROM limit_places p
    WHERE p.epoch < current OR p.count = 0 OR NOT EXISTS (SELECT FROM limit_replicas r WHERE r.id = p.replica)
    FOR UPDATE SKIP LOCKED);
  DELETE FROM shared_values WHERE key IN (
    SELECT key FROM shared_values WHERE expires_at < clock_timestamp() LIMIT 10000 FOR UPDATE SKIP LOCKED);
  DELETE FROM shared_counters WHERE name IN (
    SELECT name FROM shared_counters WHERE expires_at < clock_timestamp() FOR UPDATE SKIP LOCKED);
END $$`;
}

function valueFunctions(): readonly string[] {
  return [
    `CREATE FUNCTION counter_add(p_name TEXT, p_amount BIGINT, p_limit BIGINT, p_expires_at TIMESTAMPTZ) RETURNS BIGINT
LANGUAGE sql AS $$
  INSERT INTO shared_counters AS c (name, total, expires_at)
  SELECT p_name, p_amount, p_expires_at WHERE p_amount <= 0 OR p_limit IS NULL OR p_amount <= p_limit
    OR EXISTS (SELECT FROM shared_counters WHERE name = p_name)
  ON CONFLICT (name) DO UPDATE SET
    total = CASE WHEN c.expires_at > clock_timestamp() THEN c.total ELSE 0 END + p_amount,
    expires_at = CASE WHEN c.expires_at > clock_timestamp() THEN c.expires_at ELSE p_expires_at END
  WHERE p_amount <= 0 OR p_limit IS NULL
    OR CASE WHEN c.expires_at > clock_timestamp() THEN c.total ELSE 0 END + p_amount <= p_limit
  RETURNING total
$$`,
    /**
     * Replaces the value if it still is 'p_old' (null: there is none). The commit does not wait for the disk: a crash of the server
     * may lose the last values.
     */
    `CREATE FUNCTION value_replace(p_key TEXT, p_old TEXT, p_new TEXT, p_ttl_ms BIGINT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
DECLARE
  ends TIMESTAMPTZ := clock_timestamp() + p_ttl_ms * INTERVAL '1 ms';
BEGIN
  PERFORM set_config('synchronous_commit', 'off', TRUE);
  IF p_new IS NULL THEN
    DELETE FROM shared_values WHERE key = p_key AND value = p_old;
  ELSIF p_old IS NULL THEN
    INSERT INTO shared_values AS v (key, value, expires_at) VALUES (p_key, p_new, ends)
    ON CONFLICT (key) DO UPDATE SET value = p_new, expires_at = ends WHERE v.expires_at <= clock_timestamp();
  ELSE
    UPDATE shared_values SET value = p_new, expires_at = ends
    WHERE key = p_key AND value = p_old AND expires_at > clock_timestamp();
  END IF;
  RETURN FOUND;
END $$`,
  ];
}
