import { Anchor, Button } from '@mantine/core';
import type { ApiError, Schema } from '../../../api/client.ts';
import { LeftOut } from '../../../result/route/left-out.tsx';
import { formatCount } from '../../../ui/format.ts';
import { IconAlert } from '../../../ui/icons.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { errorText } from '../../../ui/page-state.tsx';
import { ExternalLink, MarkedText } from '../../../ui/text.tsx';
import type { PlacedProblem } from '../form/form-context.ts';
import { placeOf } from '../model/offer.ts';
import classes from './run.module.css';

interface RefusalProps {
  readonly error: ApiError;
  /** Of its errors those that are still true. */
  readonly wrong: readonly PlacedProblem[];
  /** Of the user's requests at once, for 429. */
  readonly limit: number;
  readonly onShow: (pointer: string) => void;
  readonly onRetry: () => void;
}

/** A request that was turned away before it was a scrape: why, where, and what to do. */
export function Refusal({ error, wrong, limit, onShow, onRetry }: RefusalProps) {
  const { title, text } = errorText(error);
  const places = (error.problem?.errors ?? []).filter(
    ({ pointer }) => pointer !== undefined && wrong.some((one) => one.pointer === placeOf(pointer)),
  );
  const advice = adviceFor(error, limit);
  const candidates = candidatesOf(error);
  return (
    <Notice tone="red" icon={IconAlert} title={title}>
      {places.length > 0 ? (
        <ul>
          {places.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <MarkedText text={message} />{' '}
              <Anchor component="button" type="button" size="sm" onClick={() => onShow(pointer!)}>
                Go there
              </Anchor>
            </li>
          ))}
        </ul>
      ) : (
        <p>{text}</p>
      )}
      {advice !== null && <p>{advice}</p>}
      {candidates.length > 0 && <LeftOut candidates={candidates} open />}
      <div className={classes.foot}>
        {error.retryable && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Run again
          </Button>
        )}
        {error.problem !== null && (
          <ExternalLink href={error.problem.type} size="xs">
            What {error.problem.code} means
          </ExternalLink>
        )}
        {error.requestId !== null && <span>Request {error.requestId}</span>}
      </div>
    </Notice>
  );
}

function adviceFor({ status, retryAfterSeconds }: ApiError, limit: number): string | null {
  switch (status) {
    case 402:
      return 'The daily budget is used up. It resets at 00:00 UTC; an administrator can raise it.';
    case 422:
      return 'The request is valid, but no method available here supports all of its options. Remove options, or choose another scraper or proxy.';
    case 429: {
      const wait = retryAfterSeconds === null ? '' : ` Try again in ${retryAfterSeconds} s.`;
      return `All of your ${formatCount(limit)} concurrent requests are in use, including runs in the playground.${wait}`;
    }
    default:
      return null;
  }
}

function candidatesOf({ problem }: ApiError): readonly Schema<'Candidate'>[] {
  const candidates = (problem as { readonly candidates?: unknown } | null)?.candidates;
  return Array.isArray(candidates) ? (candidates as Schema<'Candidate'>[]) : [];
}
