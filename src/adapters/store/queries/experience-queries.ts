import type { Kysely } from 'kysely';
import type { ExperienceKind, ExperienceRow } from '../../../ports/experience-store.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

export function putExperience(db: Db, kind: ExperienceKind, { name, at, data }: ExperienceRow) {
  return db
    .insertInto('experience')
    .values({ kind, name, at, data })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet({ at, data }));
}

/** The latest first. */
export function listExperience(db: Db, kind: ExperienceKind, limit: number, skip: number) {
  return db
    .selectFrom('experience')
    .select(['name', 'at', 'data'])
    .where('kind', '=', kind)
    .orderBy('at', 'desc')
    .orderBy('name')
    .limit(limit)
    .offset(skip);
}

export function deleteExperience(db: Db, kind: ExperienceKind, name: string) {
  return db.deleteFrom('experience').where('kind', '=', kind).where('name', '=', name);
}

export function sweepExperience(db: Db, kind: ExperienceKind, before: number) {
  return db.deleteFrom('experience').where('kind', '=', kind).where('at', '<', before);
}
