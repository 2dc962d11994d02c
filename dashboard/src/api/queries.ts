import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** Of an infinite query whose pages have a cursor. */
export const BY_CURSOR = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: { readonly next_cursor: string | null }) => next_cursor ?? undefined,
};

interface ChangeOptions {
  /** The queries are also loaded again after an error, because somebody else may have changed the same. */
  readonly settled?: boolean;
  /** The change ends before the new values are there: they replace what shows its result. */
  readonly later?: boolean;
}

/**
 * A call that changes something.
 * @param keys of the queries that are loaded again before the change has ended, so that nothing shows the old values
 */
export function useChange<Result, Input = void>(
  call: (input: Input) => Promise<Result>,
  keys: readonly QueryKey[] = [],
  { settled = false, later = false }: ChangeOptions = {},
) {
  const queries = useQueryClient();
  const reload = async () => {
    const loaded = Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    if (!later) await loaded;
  };
  return useMutation({ mutationFn: call, [settled ? 'onSettled' : 'onSuccess']: reload });
}

/** A call that deletes something. @param keys of the queries that are dropped, so that no page shows it any more */
export function useRemoval<Result>(call: () => Promise<Result>, keys: readonly QueryKey[]) {
  const queries = useQueryClient();
  const drop = () => {
    for (const queryKey of keys) queries.removeQueries({ queryKey });
  };
  return useMutation({ mutationFn: call, onSuccess: drop });
}
