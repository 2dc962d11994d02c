const COLUMNS = ['open', 'ok', 'failed', 'skipped'];
/** SQL: the column that counts an item. */
const COLUMN = `CASE WHEN state IN ('queued', 'running') THEN 'open' ELSE state END`;
/** Ordered, so that it is an index that is read, also by a plan that was made while the table was small. */
const HAS_COUNTS =
  '(SELECT 1 FROM job_folders AS f WHERE f.job_id = added.job_id ORDER BY f.job_id, f.parent, f.name LIMIT 1) = 1';

/**
 * `job_folders`. Triggers keep the counts. Whoever changes items has locked their jobs, so transactions do not wait for each other's
 * rows here.
 */
export const JOB_FOLDERS: readonly string[] = [
  `CREATE TABLE job_folders (
  job_id BYTEA NOT NULL,
  parent TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  open BIGINT NOT NULL,
  ok BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  PRIMARY KEY (job_id, parent, name)
) WITH (fillfactor = 80)`,
  // At most 10 levels and 500 characters. The last segment is no folder. A question mark, `chr(63)`, would stand for a parameter.
  `CREATE FUNCTION folders_of(url TEXT) RETURNS TABLE (parent TEXT, name TEXT) LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(segment || '/', '') OVER (ORDER BY level ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), ''),
    CASE WHEN lead(level) OVER (ORDER BY level) IS NULL THEN '' ELSE segment || '/' END
  FROM unnest(string_to_array(
    left(substr(split_part(split_part(url, '#', 1), chr(63), 1), strpos(url, '://') + 3), 500), '/')) WITH ORDINALITY AS s (segment, level)
  WHERE level <= 11
$$`,
  countFunction(
    'count_added_job_folders',
    `SELECT job_id, url, ${COLUMN} AS counted, 1 AS items FROM added`,
    // A job is counted from its first item on, or not at all: one older than this table is not.
    `SELECT job_id FROM added GROUP BY job_id HAVING min(item) = 1 OR ${HAS_COUNTS}`,
  ),
  `CREATE TRIGGER job_folders_added AFTER INSERT ON job_items REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_added_job_folders()`,
  countFunction(
    'count_changed_job_folders',
    // Claims and renewals, which most changes are, leave no rows.
    `SELECT job_id, url, counted, sum(n) AS items FROM (
  SELECT job_id, url, ${COLUMN} AS counted, 1 AS n FROM added UNION ALL SELECT job_id, url, ${COLUMN}, -1 FROM removed) AS x
GROUP BY job_id, url, counted HAVING sum(n) <> 0`,
    `SELECT job_id FROM added GROUP BY job_id HAVING ${HAS_COUNTS}`,
  ),
  `CREATE TRIGGER job_folders_changed AFTER UPDATE ON job_items REFERENCING NEW TABLE AS added OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_changed_job_folders()`,
  `CREATE FUNCTION delete_job_folders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM job_folders WHERE job_id = OLD.id;
  RETURN NULL;
END $$`,
  `CREATE TRIGGER job_folders_deleted AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION delete_job_folders()`,
];

/**
 * A trigger function that adds to the counts.
 * @param changes SQL: how many items of a URL and a column came or went. @param counted SQL: the jobs whose folders are counted
 */
function countFunction(name: string, changes: string, counted: string): string {
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO job_folders AS f (job_id, parent, name, ${COLUMNS.join(', ')})
  SELECT * FROM (
    SELECT c.job_id, p.parent, p.name,
      ${COLUMNS.map((column) => `coalesce(sum(c.items) FILTER (WHERE c.counted = '${column}'), 0) AS ${column}`).join(',\n      ')}
    FROM (${changes}) AS c CROSS JOIN LATERAL folders_of(c.url) AS p
    WHERE c.job_id IN (${counted})
    GROUP BY c.job_id, p.parent, p.name
  ) AS changed
  WHERE ${COLUMNS.map((column) => `${column} <> 0`).join(' OR ')}
  ON CONFLICT (job_id, parent, name) DO UPDATE SET
    ${COLUMNS.map((column) => `${column} = f.${column} + excluded.${column}`).join(', ')};
  RETURN NULL;
END $$`;
}
