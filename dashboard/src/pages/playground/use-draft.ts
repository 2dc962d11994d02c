import { t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { parseExact } from '../../api/exact-json.ts';
import { scrapeRequestQuery } from '../../api/scrapes.ts';
import { useUser } from '../../api/session.ts';
import { notifyError } from '../../ui/notice.tsx';
import {
  isObject,
  type Json,
  type JsonObject,
  maskedPointers,
  type Path,
  withValueAt,
} from './model/json.ts';
import { checkJson, type JsonFault, type JsonSyntax } from './model/json-syntax.ts';
import { collapseShorthands, expandShorthands } from './model/request-fields.ts';
import type { Components } from './model/schema.ts';
import { requestOfFragment } from './model/share-link.ts';
import type { Edit } from './tasks/tasks.ts';

// Braces in a text mark placeholders.
const example = '{"url": "https://…"}';

const STORAGE_KEY = 'sluice-playground';

/** The request being edited, stored for this tab so that it survives a reload. */
interface StoredDraft {
  readonly text: string;
  /** Id of the scrape whose request was loaded. */
  readonly from: string | null;
  /** Pointers of the values that were masked when it was loaded. */
  readonly masked: readonly string[];
}

interface DraftOfUser extends StoredDraft {
  readonly userId: string;
}

/** Reads only a draft of the same user, because it may contain secrets and another user may have signed in. */
function readDraft(userId: string): StoredDraft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<DraftOfUser> | null;
    if (draft === null || typeof draft.text !== 'string' || draft.userId !== userId) return null;
    return { text: draft.text, from: draft.from ?? null, masked: draft.masked ?? [] };
  } catch {
    return null;
  }
}

function storeDraft(draft: StoredDraft, userId: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...draft, userId } satisfies DraftOfUser));
  } catch {
    // Without storage, the draft exists until the page is closed.
  }
}

const EMPTY_DRAFT: StoredDraft = { text: '{\n  "url": ""\n}', from: null, masked: [] };

export interface Draft {
  /** The text in the editor. */
  readonly text: string;
  /** The last request that could be parsed, with expanded shorthands. */
  readonly request: JsonObject;
  /** Why the text is not a request. */
  readonly fault: JsonFault | null;
  readonly syntax: JsonSyntax;
  readonly from: StoredDraft['from'];
  readonly masked: StoredDraft['masked'];
  setText(text: string): void;
  /** @param value undefined removes the member. @returns the new text */
  set(path: Path, value: Json | undefined): string;
  /** Makes several changes at once. */
  change(edits: readonly Edit[]): string;
  load(draft: StoredDraft): void;
  reset(): void;
}

/**
 * The request being edited: one text, shown as JSON and as a form. While the text cannot be parsed, the form shows the last
 * request that could.
 * @param components of the OpenAPI description; new members are inserted in its order
 */
export function useDraft(components: Components): Draft {
  const { id: userId } = useUser();
  const [draft, setDraft] = useState<StoredDraft>(() => readDraft(userId) ?? EMPTY_DRAFT);
  const [lastValid, setLastValid] = useState<JsonObject>(() => readRequest(draft.text).request ?? {});
  const { fault, syntax } = useMemo(() => readRequest(draft.text), [draft.text]);
  useEffect(() => storeDraft(draft, userId), [draft, userId]);
  const load = useCallback((next: StoredDraft) => {
    setDraft(next);
    const { request } = readRequest(next.text);
    if (request !== null) setLastValid(request);
  }, []);
  const request = useMemo(() => expandShorthands(lastValid, components), [lastValid, components]);
  const order = useMemo(() => Object.keys(components.ScrapeRequest?.properties ?? {}), [components]);
  const change = (edits: readonly Edit[]) => {
    const changed = edits.reduce((before, [path, value]) => {
      const followingMembers = new Set(order.slice(order.indexOf(String(path[0])) + 1));
      return withValueAt(before, path, value, followingMembers);
    }, request);
    const text = JSON.stringify(collapseShorthands(changed), null, 2);
    load({ ...draft, text });
    return text;
  };
  return {
    text: draft.text,
    request,
    fault,
    syntax,
    from: draft.from,
    masked: draft.masked,
    load,
    setText: (text) => load({ ...draft, text }),
    change,
    set: (path, value) => change([[path, value]]),
    reset: () => load(EMPTY_DRAFT),
  };
}

function readRequest(text: string): {
  readonly request: JsonObject | null;
  readonly fault: JsonFault | null;
  readonly syntax: JsonSyntax;
} {
  const syntax = checkJson(text);
  if (syntax.fault !== null) return { request: null, fault: syntax.fault, syntax };
  const request = parseExact(text);
  if (isObject(request)) return { request, fault: null, syntax };
  const fault = { message: t`A request is an object: ${example}.`, offset: 0, line: 1, column: 1 };
  return { request: null, fault, syntax };
}

const playgroundRoute = getRouteApi('/signed-in/playground');

interface LoadedRequest {
  /** Why the request of the record could not be loaded. */
  readonly error: unknown;
  /** Loads the request again, which discards all changes. */
  reload(): void;
}

/**
 * Loads the request that the link to this page names: that of a record (`?from=`), a shared one (`#request=`), or a URL (in
 * the state of the history).
 */
export function useLoadedRequest(draft: Draft): LoadedRequest {
  const { from } = playgroundRoute.useSearch();
  const hash = useLocation({ select: (location) => location.hash });
  const url = useLocation({ select: ({ state }) => state.url });
  const navigate = playgroundRoute.useNavigate();
  const queries = useQueryClient();
  const idToLoad = from !== undefined && from !== draft.from && hash === '' ? from : null;
  const { data, error } = useQuery({ ...scrapeRequestQuery(from ?? ''), enabled: from !== undefined });
  const load = (id: string, request: unknown) =>
    draft.load({
      text: JSON.stringify(request, null, 2),
      from: id,
      masked: maskedPointers(request as Json),
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each record
  useEffect(() => {
    if (idToLoad !== null && data !== undefined) load(idToLoad, data);
  }, [idToLoad, data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each link
  useEffect(() => {
    if (hash === '') return;
    const text = requestOfFragment(hash);
    if (text !== null)
      draft.load({ text, from: null, masked: maskedPointers(readRequest(text).request ?? {}) });
    // If it stayed in the URL, a reload would discard all changes.
    void navigate({ search: {}, hash: '', replace: true });
  }, [hash]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each link
  useEffect(() => {
    if (url === undefined) return;
    draft.load({ text: JSON.stringify({ url }, null, 2), from: null, masked: [] });
    void navigate({ search: {}, state: {}, replace: true });
  }, [url]);
  /** Fetches the request: after a reload of the page it may not be loaded yet, and the URL may no longer name its record. */
  const reload = async (id: string) => {
    try {
      load(id, await queries.fetchQuery(scrapeRequestQuery(id)));
    } catch (error) {
      notifyError(error);
    }
  };
  return {
    error: idToLoad === null ? null : error,
    reload: () => {
      if (draft.from !== null) void reload(draft.from);
    },
  };
}
