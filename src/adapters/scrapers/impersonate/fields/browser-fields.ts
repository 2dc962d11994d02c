import type { HeaderList } from '../../../../domain/fetched.ts';
import type { ImpersonateProfile } from '../../../../domain/impersonate-profiles.ts';
import type { ScraperOptions } from '../../../../domain/job.ts';
import { byteString } from '../../http/byte-string.ts';
import type { Outgoing } from '../../http/outgoing.ts';
import { OTHERS, type Place, placesOf } from './places.ts';

/**
 * The fields of a request as the browser would send them. A field of the caller's that the browser has a place for
 * stands there in place of the browser's own, spelt as the caller wrote it; all others go together, in the caller's
 * order, to where Chromium puts what is added to a navigation.
 */
export function browserFields(
  request: Outgoing,
  profile: ImpersonateProfile,
  { userAgent, http2 }: Pick<ScraperOptions, 'userAgent' | 'http2'>,
  cookie: string | null,
): HeaderList {
  const { secure, first, plain } = placesOf(profile);
  const places = request.url.protocol === 'http:' ? plain : http2 === false ? first : secure;
  const names = lowerNames(places);
  const given = givenBy(request, userAgent, cookie).map((field) => ({ field, name: field[0].toLowerCase() }));
  const fields: [string, string][] = [];
  places.forEach((place, n) => {
    const before = fields.length;
    for (const { field, name } of given)
      if (place === OTHERS ? !names.includes(name) : name === names[n]) fields.push(field);
    if (fields.length === before && place[1] !== null) fields.push([place[0], place[1]]);
  });
  return fields;
}

/** What the request brings, byte strings: the caller's fields, and those that its body and cookies make. */
function givenBy(request: Outgoing, userAgent: string | null, cookie: string | null): [string, string][] {
  const { headers, body, method, authorization } = request;
  const given: [string, string][] = [['Host', request.url.host]];
  for (const [name, value] of headers) given.push([name, byteString(value)]);
  const has = (name: string) => headers.some(([one]) => one.toLowerCase() === name);
  if (userAgent !== null && !has('user-agent')) given.push(['User-Agent', byteString(userAgent)]);
  if (authorization !== null) given.push(['Authorization', authorization]);
  if (cookie !== null) given.push(['Cookie', byteString(cookie)]);
  if (body !== null) {
    if (body.contentType !== null && !has('content-type')) {
      given.push(['Content-Type', byteString(body.contentType)]);
    }
    given.push(['Content-Length', String(body.bytes.length)]);
  } else if (method === 'POST' || method === 'PUT' || method === 'PATCH') {
    given.push(['Content-Length', '0']);
  }
  return given;
}

const lowered = new WeakMap<readonly Place[], readonly string[]>();

/** Of each profile once: this is done for every request. */
function lowerNames(places: readonly Place[]): readonly string[] {
  let names = lowered.get(places);
  if (names === undefined) {
    names = places.map(([name]) => name.toLowerCase());
    lowered.set(places, names);
  }
  return names;
}
