import type { components } from './schema.gen.ts';

/** The shapes of the API by their names in its description, such as `Schema<'ApiKey'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Session = Schema<'Session'>;
export type User = Schema<'User'>;
export type Problem = Schema<'Problem'>;
export type Outcome = Schema<'ScrapeSummary'>['outcome'];
