/** `ETag` of a thing with that hash; each form of it has one of its own (RFC 9110 §8.8.3). */
export const entityTag = (hash: string, coding: string | null): string =>
  `"${hash}${coding === null ? '' : `-${coding}`}"`;

/** Whether `If-None-Match` names that tag (RFC 9110 §13.1.2). */
export const knows = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false;
