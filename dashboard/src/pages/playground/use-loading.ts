import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { scrapeRequestQuery } from '../../api/scrapes.ts';
import { notifyError } from '../../ui/notice.tsx';
import type { Json } from './model/json.ts';
import { maskedPlaces } from './model/masked.ts';
import { requestOfFragment } from './model/share-link.ts';
import type { Draft } from './use-draft.ts';

const playgroundRoute = getRouteApi('/signed-in/playground');

interface Loading {
  /** Why the request of the record could not be had. */
  readonly error: unknown;
  /** Throws away what was changed since. */
  reload(): void;
}

/** Fills in what the address names: the request of a record (`?from=`), or one that was shared (`#request=`). */
export function useLoading(draft: Draft): Loading {
  const { from } = playgroundRoute.useSearch();
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = playgroundRoute.useNavigate();
  const wanted = from !== undefined && from !== draft.from && hash === '' ? from : null;
  const { data, error } = useQuery({ ...scrapeRequestQuery(from ?? ''), enabled: from !== undefined });
  const load = (id: string, request: unknown) =>
    draft.load({
      text: JSON.stringify(request, null, 2),
      from: id,
      masked: maskedPlaces(request as Json),
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each record
  useEffect(() => {
    if (wanted !== null && data !== undefined) load(wanted, data);
  }, [wanted, data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link
  useEffect(() => {
    if (hash === '') return;
    const text = requestOfFragment(hash);
    if (text !== null) draft.load({ text, from: null, masked: [] });
    // Left there, it would undo every change when the page is loaded anew.
    void navigate({ search: {}, hash: '', replace: true });
  }, [hash]);
  return {
    error: wanted === null ? null : error,
    reload: () => {
      if (from !== undefined && data !== undefined) load(from, data);
      else notifyError(error);
    },
  };
}
