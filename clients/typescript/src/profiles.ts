import { type Page, Pages } from './pages.ts';
import type { CallOptions, Query, Transport } from './transport.ts';
import type {
  DeleteProfileQuery,
  ExportedProfile,
  ListProfilesQuery,
  Profile,
  ProfileCreate,
  ProfilePatch,
} from './types.gen.ts';

const path = (name: string, rest = ''): string => `/api/v1/profiles/${encodeURIComponent(name)}/${rest}`;

/** States of users at sites: cookies and storage that scrapes are logged in with. */
export class Profiles {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(request: ProfileCreate, options?: CallOptions): Promise<Profile> {
    return await this.#transport.json({ method: 'POST', path: '/api/v1/profiles/', body: request }, options);
  }

  /** Your own and those that others share, the newest first. */
  list(query: ListProfilesQuery = {}, options?: CallOptions): Pages<Profile> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<Profile>>(
        { method: 'GET', path: '/api/v1/profiles/', query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  async get(name: string, options?: CallOptions): Promise<Profile> {
    return await this.#transport.json({ method: 'GET', path: path(name) }, options);
  }

  /** New cookies or a new state replace all that were kept. */
  async change(name: string, change: ProfilePatch, options?: CallOptions): Promise<Profile> {
    return await this.#transport.json({ method: 'PATCH', path: path(name), body: change }, options);
  }

  async delete(name: string, query: DeleteProfileQuery = {}, options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: path(name), query: query as Query }, options);
  }

  /** The profile with its values, for its owner; needs the scope `profiles_export`. */
  async export(name: string, options?: CallOptions): Promise<ExportedProfile> {
    return await this.#transport.json({ method: 'GET', path: path(name, 'export/') }, options);
  }
}
