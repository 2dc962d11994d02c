import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../../domain/failure.ts';
import type { RecordFilter, RecordPage } from '../../domain/record.ts';
import type { SiteDirectory } from '../../pipeline/site-directory.ts';
import type { RecordStore } from '../../ports/store.ts';
import { parseSitePin, siteObject } from '../../wire/sites.ts';
import { type AdmissionControl, admissionHook } from '../access.ts';
import { notFoundRefusal, Refusal, unwrapParsed } from '../refusal.ts';

export interface SiteRouteParts {
  readonly gate: AdmissionControl;
  readonly sites: SiteDirectory;
  readonly records: RecordStore;
}

type OfHost = { Params: { host: string } };

/** Any record. */
const ANY: Omit<RecordFilter, 'userId' | 'host'> = {
  from: null,
  to: null,
  origins: null,
  status: null,
  outcome: null,
  scraper: null,
  errorCode: null,
  keyId: null,
  tag: null,
  oldestFirst: false,
};
/** One call of the store looks at a bounded number of records: a host of long ago is found within so many. */
const PAGES_MOST = 20;

/** What is known of sites: contract §9. */
export function siteRoutes(app: FastifyInstance, { gate, sites, records }: SiteRouteParts): void {
  const look = { onRequest: admissionHook(gate, { scope: 'admin' }) };
  const change = { onRequest: admissionHook(gate, { scope: 'admin', adminOnly: true, hasBody: true }) };
  const remove = { onRequest: admissionHook(gate, { scope: 'admin', adminOnly: true }) };

  app.get<OfHost>('/api/v1/sites/:host', look, async (request) => {
    const site = hostOf(request);
    const { role, userId } = request.principal!;
    const view = sites.describe(site);
    if (view === null || (role !== 'admin' && !(await hasRecord(records, userId, site))))
      throw notFoundRefusal('site');
    return siteObject(view);
  });
  app.delete<OfHost>('/api/v1/sites/:host', remove, async (request, reply) => {
    const site = hostOf(request);
    if (!(await sites.forget(site)))
      throw sites.describe(site) === null ? notFoundRefusal('site') : onlyPinned();
    return reply.code(204).send();
  });
  app.post<OfHost>('/api/v1/sites/:host/pin', change, async (request) => {
    const site = hostOf(request);
    const view = await sites.pin(site, unwrapParsed(parseSitePin(request.body)));
    if (view === null)
      throw new Refusal([
        failure('request.validation', 'The limit of 10,000 pins is reached; remove others first.'),
      ]);
    return siteObject(view);
  });
  app.delete<OfHost>('/api/v1/sites/:host/pin', remove, async (request, reply) => {
    if (!(await sites.unpin(hostOf(request)))) throw notPinned();
    return reply.code(204).send();
  });
}

/** What is pinned stays. */
const onlyPinned = (): Refusal =>
  new Refusal([
    failure(
      'request.not_found',
      'Nothing has been learned about this host. To remove a pinned method, send DELETE to its pin/.',
    ),
  ]);

/** The site itself may be well known. */
const notPinned = (): Refusal =>
  new Refusal([failure('request.not_found', 'No method is pinned for this host.')]);

/** As a URL has it: a name in capitals or with other letters is the same one. @throws Refusal when it is none */
function hostOf({ params }: FastifyRequest<OfHost>): string {
  const url = URL.parse(`http://${params.host}/`);
  if (url === null || url.pathname !== '/' || url.username !== '') throw notFoundRefusal('site');
  return url.host;
}

async function hasRecord(records: RecordStore, userId: string, site: string): Promise<boolean> {
  const host = new URL(`http://${site}/`).hostname;
  let after: string | null = null;
  for (let n = 0; n < PAGES_MOST; n++) {
    const page: RecordPage = await records.list({ ...ANY, userId, host }, 1, after);
    if (page.items.length > 0) return true;
    if (page.next === null) return false;
    after = page.next;
  }
  return false;
}
