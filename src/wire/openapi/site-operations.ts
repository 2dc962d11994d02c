import { Type } from 'typebox';
import { Site, SitePin } from '../sites.ts';
import type { Operation, Parameter } from './operation.ts';
import { json, nothing, refusals } from './responses.ts';

const HOST: readonly Parameter[] = [
  {
    name: 'host',
    in: 'path',
    description: 'Host as in the URL, with `:port` unless it is the default port.',
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
    summary: 'Get what is known about a site',
    description:
      'Results of past attempts, the protections they suggest, and the method that `auto` would try first. Users see the hosts of their own records; administrators see all.',
    responses: { '200': json('The site.', Site), ...ONE },
  }),
  sites({
    method: 'delete',
    path: '/api/v1/sites/{host}/',
    operationId: 'forgetSite',
    summary: 'Forget what is known about a site',
    description: 'Pinned methods are kept. For administrators.',
    responses: { '204': nothing('Forgotten.'), ...ONE },
  }),
  sites({
    method: 'post',
    path: '/api/v1/sites/{host}/pin/',
    operationId: 'pinSite',
    summary: 'Pin the method that `auto` tries first on a site',
    description:
      'Applies to requests that allow this method and set no `router.order`. If the method fails, `auto` tries others as usual. For administrators.',
    request: { schema: SitePin, required: true, examples: { browser: { scraper: 'browser' } } },
    responses: { '200': json('The site.', Site), ...refusals({ scope: 'admin', id: true, body: true }) },
  }),
  sites({
    method: 'delete',
    path: '/api/v1/sites/{host}/pin/',
    operationId: 'unpinSite',
    summary: 'Remove a pin',
    description: 'For administrators.',
    responses: { '204': nothing('The pin is removed.'), ...ONE },
  }),
];
