import { type Static, Type } from 'typebox';
import { POOLED_TYPES, SCRAPER_NAMES } from '../../domain/job.ts';
import { closed, orNull } from '../schema/build.ts';

const Scraper = Type.Enum([...SCRAPER_NAMES]);
const ProxyType = Type.Enum([...POOLED_TYPES]);
const Share = Type.Number({ minimum: 0, maximum: 1 });

export const SiteStep = closed({ scraper: Scraper, proxy_type: ProxyType }, { title: 'SiteStep' });

export const SitePin = closed(
  { scraper: Scraper, proxy_type: Type.Optional(Type.Enum([...POOLED_TYPES], { default: 'datacenter' })) },
  { title: 'SitePin', description: 'What `auto` is to begin with, where a request may take it.' },
);
export type SitePin = Static<typeof SitePin>;

export const Site = closed(
  {
    host: Type.String({ description: 'With the port, where it is not that of the scheme.' }),
    pinned: orNull(SiteStep, { description: 'Set by an administrator; null: nothing.' }),
    pages: Type.Array(
      closed({
        pattern: Type.String({
          description: 'The first two segments of the path; `*`: names of single things.',
        }),
        attempts: Type.Integer({
          minimum: 0,
          description: 'That were noted, also those that hardly count by now.',
        }),
        demands: Type.Array(closed({ name: Type.String(), words: Type.String(), probability: Share }), {
          description: 'What the site may ask of who fetches there, the likeliest first.',
        }),
        ways: Type.Array(
          closed({
            scraper: Scraper,
            proxy_type: ProxyType,
            est_success: Share,
            est_cost: Type.Number({ description: 'In units of effort.' }),
            remembered: Type.Number({ description: 'How many attempts by this way count still.' }),
          }),
        ),
        next: orNull(SiteStep, {
          description: 'What a plain request by `auto` without a proxy of its own would begin with.',
        }),
        reason: Type.String(),
      }),
      { maxItems: 64 },
    ),
  },
  { title: 'Site', description: 'What is known of a site, and what follows from it.' },
);
