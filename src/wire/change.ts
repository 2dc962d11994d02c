import { Type } from 'typebox';
import { closed, orNull, textOrNull } from '../domain/json-schema.ts';
import { CHANGE_STATES, type Change } from '../domain/monitors.ts';

/** The members of a change besides its state. */
export const CHANGE = {
  reason: textOrNull('Why it is an error, such as `signed_out`.'),
  previous_id: textOrNull('The scrape that was compared with.'),
  added: Type.Integer(),
  removed: Type.Integer(),
  similarity: Type.Number({ description: 'Share of lines that are the same.' }),
  diff: textOrNull('Unified diff.'),
  fields: Type.Array(closed({ path: Type.String(), before: Type.Unknown(), after: Type.Unknown() }), {
    description: 'Of `extract`, `json` and `structured`: values that differ. A missing value is null.',
  }),
  picture: orNull(closed({ share: Type.Number(), width: Type.Integer(), height: Type.Integer() }), {
    description: 'Of `screenshot`: the share of pixels that differ.',
  }),
};

/** `scraper_data.change` of a scrape with `router.compare_to`. */
export const ScrapeChange = closed(
  { state: Type.Enum([...CHANGE_STATES]), ...CHANGE },
  { title: 'ScrapeChange' },
);

export const changeMembers = (change: Omit<Change, 'state'>) => ({
  reason: change.reason,
  previous_id: change.previousId,
  added: change.added,
  removed: change.removed,
  similarity: Math.round(change.similarity * 10_000) / 10_000,
  diff: change.diff,
  fields: change.fields.map(({ path, before = null, after = null }) => ({ path, before, after })),
  picture: change.picture,
});
