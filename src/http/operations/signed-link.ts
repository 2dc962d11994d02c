import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { FailureCode } from '../../domain/failure.ts';
import { type SignedKind, verifyLink } from '../../wire/answer/signed-links.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { recordId } from './missing-record.ts';

/** Only signed links have a query. */
export const SIGNED_LINK_QUERY = {
  parameters: {
    expires: {
      description: 'Part of a signed link: expiry as Unix time in seconds.',
      schema: Type.Integer(),
    },
    signature: {
      description: 'Part of a signed link; replaces the API key.',
      schema: Type.String(),
    },
  },
} as const;

interface SignedLinkOptions {
  readonly kind: SignedKind;
  /** The number in the path. Throws a Refusal if there can be no such part. */
  readonly numberIn: (params: unknown) => number;
  /** Says that there is no such picture or file. One message for all causes, so that a link does not reveal which records exist. */
  readonly missing: () => Refusal;
  readonly expired: FailureCode;
}

/** For the `signedLink` of an endpoint: whether a request has one. Throws a Refusal if the link is wrong or has expired. */
export const checkSignedLink = ({ kind, numberIn, missing, expired }: SignedLinkOptions) => {
  return ({ linkKey, clock }: EndpointDeps) =>
    (request: FastifyRequest): boolean => {
      const { expires, signature } = request.query as { expires?: unknown; signature?: unknown };
      if (expires === undefined && signature === undefined) return false;
      if (typeof expires !== 'string' || typeof signature !== 'string') throw missing();
      const { id } = request.params as { readonly id: string };
      const link = { kind, id: recordId(id), number: numberIn(request.params), expires, signature };
      const state = verifyLink(linkKey, link, clock.now() / 1_000);
      if (state === 'wrong') throw missing();
      if (state === 'expired') throw Refusal.of(expired, 'This link has expired.');
      return true;
    };
};
