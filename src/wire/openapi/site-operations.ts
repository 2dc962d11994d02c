import { Type } from 'typebox';
import { Site, SitePin } from '../sites/site-schema.ts';
import type { Operation, Parameter } from './operation.ts';
import { json, nothing, refusals } from './responses.ts';

const HOST: readonly Parameter[] = [
  {
    name: 'host',
    in: 'path',
    description: 'As in the URL: the name, with `:port` where it is not that of the scheme.',
    schema: Type.String(),
  },
];
const ONE = refusals({ scope: 'admin', id: true });

type Rest = Omit<Operation, 'tag' | 'scope' | 'parameters'>;
const sites = (rest: Rest): Operation => ({ ...rest, tag: 'Sites', scope: 'admin', parameters: HOST });

export const SITE_OPERATIONS: readonly Operation[] = [
  sites({
    method: 'get',
    path: '/api/v1/sites/{host}/',
    operationId: 'getSite',
    summary: 'What is known of a site',
    description:
      'What attempts have shown, what follows from it, and what `auto` would begin with. Users see hosts of which they have records; administrators all.',
    responses: { '200': json('The site.', Site), ...ONE },
  }),
  sites({
    method: 'delete',
    path: '/api/v1/sites/{host}/',
    operationId: 'forgetSite',
    summary: 'Forget what is known of a site',
    description: 'For administrators. What is pinned stays.',
    responses: { '204': nothing('Forgotten.'), ...ONE },
  }),
  sites({
    method: 'post',
    path: '/api/v1/sites/{host}/pin/',
    operationId: 'pinSite',
    summary: 'Pin what `auto` begins with at a site',
    description:
      'For administrators. Holds where a request may take it and names no order of its own; when it does not bring the page, `auto` goes on as ever.',
    request: { schema: SitePin, required: true, examples: { browser: { scraper: 'browser' } } },
    responses: { '200': json('The site.', Site), ...refusals({ scope: 'admin', id: true, body: true }) },
  }),
  sites({
    method: 'delete',
    path: '/api/v1/sites/{host}/pin/',
    operationId: 'unpinSite',
    summary: 'Take a pin away',
    description: 'For administrators.',
    responses: { '204': nothing('Nothing is pinned there any more.'), ...ONE },
  }),
];
