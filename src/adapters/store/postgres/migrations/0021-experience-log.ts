import type { PostgresMigration } from './postgres-migration.ts';

/** What replicas have learned in the last minutes; see `ExperienceLog`. */
export const experienceLog: PostgresMigration = {
  version: 21,
  name: 'experience log',
  isCompatible: true,
  statements: [
    `CREATE TABLE experience_log (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  origin TEXT COLLATE "C" NOT NULL,
  batch BIGINT NOT NULL,
  added_at TIMESTAMPTZ NOT NULL,
  data TEXT NOT NULL,
  UNIQUE (origin, batch)
)`,
  ],
};
