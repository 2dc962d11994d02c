import { inTheirWords, type ScrapeRefusal } from '../scrape-call.ts';

/** The body of an error of theirs (RFC 9457, with a path as `type`). */
export interface ExtractError {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

type Kind = Omit<ExtractError, 'detail'>;

const kind = (status: number, type: string, title: string): Kind => ({ type, title, status });

const KINDS = {
  invalid: kind(400, '/request/invalid', 'Bad Request'),
  invalidJson: kind(400, '/request/invalid-json', 'Invalid JSON'),
  tooLarge: kind(413, '/request/invalid', 'Request Too Large'),
  unprocessable: kind(422, '/request/unprocessable', 'Unprocessable Request'),
  noKey: kind(401, '/auth/not-valid', 'Authentication Info Invalid'),
  wrongKey: kind(401, '/auth/key-not-found', 'Authentication Key Not Found'),
  suspended: kind(403, '/auth/account-suspended', 'Account Suspended'),
  forbidden: kind(451, '/download/domain-forbidden', 'Domain Forbidden'),
  userLimit: kind(429, '/limits/over-user-limit', 'Over User Requests Limit'),
  domainLimit: kind(429, '/limits/over-domain-limit', 'Over Domain Requests Limit'),
  globalLimit: kind(503, '/limits/over-global-limit', 'Global Requests Limit Reached'),
  unreachable: kind(421, '/website/domain-unreachable', 'Domain Unreachable'),
  ban: kind(520, '/download/temporary-error', 'Website Ban'),
  temporary: kind(520, '/download/temporary-error', 'Temporary Downloading Error'),
  permanent: kind(521, '/download/internal-error', 'Internal Downloading Error'),
  timeout: kind(500, '/server/timed-out', 'Request Timed Out'),
  internal: kind(500, '/server/internal', 'Internal Server Error'),
} as const;

export const extractError = (name: keyof typeof KINDS, detail: string): ExtractError => ({
  ...KINDS[name],
  detail,
});

/** Codes of ours that have a kind of their own; the beginning of a code stands for all that follow. */
const BY_CODE: readonly (readonly [prefix: string, name: keyof typeof KINDS])[] = [
  ['auth.missing', 'noKey'],
  ['auth.malformed', 'noKey'],
  ['auth.invalid', 'wrongKey'],
  ['auth.expired', 'wrongKey'],
  ['auth.', 'suspended'],
  ['budget.', 'suspended'],
  ['policy.', 'forbidden'],
  ['route.paced', 'domainLimit'],
  ['limit.', 'userLimit'],
  ['dns.not_found', 'unreachable'],
  ['target.blocked', 'ban'],
  ['tls.', 'permanent'],
  ['redirect.', 'permanent'],
  ['timeout.', 'timeout'],
];

const BY_STATUS: Readonly<Record<number, keyof typeof KINDS>> = {
  400: 'invalid',
  413: 'tooLarge',
  422: 'unprocessable',
  502: 'temporary',
  503: 'globalLimit',
};

/**
 * The error of theirs that means the same as one of ours.
 * @param sources JSON pointer into the scrape request → their member
 */
export function errorOf(refusal: ScrapeRefusal, sources: ReadonlyMap<string, string>): ExtractError {
  const { code, status } = refusal;
  const { detail } = inTheirWords(refusal, sources);
  const named = BY_CODE.find(([prefix]) => code.startsWith(prefix))?.[1];
  return extractError(named ?? BY_STATUS[status] ?? 'internal', detail);
}
