import { useCallback, useEffect, useMemo, useState } from 'react';
import { parseExact } from '../../api/exact-json.ts';
import { useUser } from '../../api/session.ts';
import { readDraft, type StoredDraft, storeDraft } from './draft-store.ts';
import { isObject, type Json, type JsonObject, type Path, withValueAt } from './model/json.ts';
import { type JsonFault, type Scan, scanJson } from './model/json-scan.ts';
import { shortened, writtenOut } from './model/offer.ts';
import type { Components } from './model/schema.ts';

const FIRST: StoredDraft = { text: '{\n  "url": ""\n}', from: null, masked: [] };

export interface Draft {
  /** As it stands in the editor. */
  readonly text: string;
  /** The latest request that could be read, shorthands written out. */
  readonly request: JsonObject;
  readonly fault: JsonFault | null;
  readonly scan: Scan;
  readonly from: string | null;
  readonly masked: readonly string[];
  setText(text: string): void;
  /** undefined takes the member away. @returns the new text */
  set(path: Path, value: Json | undefined): string;
  load(draft: StoredDraft): void;
  reset(): void;
}

/**
 * The request that is written: one text, seen as JSON and as a form. While the text cannot be read, the form keeps the
 * latest one that could.
 * @param components of the description of the API; new members are written in its order
 */
export function useDraft(components: Components): Draft {
  const { id: userId } = useUser();
  const [draft, setDraft] = useState<StoredDraft>(() => readDraft(userId) ?? FIRST);
  const [latest, setLatest] = useState<JsonObject>(() => readRequest(draft.text).request ?? {});
  const { fault, scan } = useMemo(() => readRequest(draft.text), [draft.text]);
  useEffect(() => storeDraft(draft, userId), [draft, userId]);
  const load = useCallback((next: StoredDraft) => {
    setDraft(next);
    const { request } = readRequest(next.text);
    if (request !== null) setLatest(request);
  }, []);
  const request = useMemo(() => writtenOut(latest, components), [latest, components]);
  const order = useMemo(() => Object.keys(components.ScrapeRequest?.properties ?? {}), [components]);
  return {
    text: draft.text,
    request,
    fault,
    scan,
    from: draft.from,
    masked: draft.masked,
    load,
    setText: (text) => load({ ...draft, text }),
    set: (path, value) => {
      const later = new Set(order.slice(order.indexOf(String(path[0])) + 1));
      const next = shortened(withValueAt(request, path, value, later));
      const text = JSON.stringify(next, null, 2);
      load({ ...draft, text });
      return text;
    },
    reset: () => load(FIRST),
  };
}

function readRequest(text: string): {
  readonly request: JsonObject | null;
  readonly fault: JsonFault | null;
  readonly scan: Scan;
} {
  const scan = scanJson(text);
  if (scan.fault !== null) return { request: null, fault: scan.fault, scan };
  const request = parseExact(text);
  if (isObject(request)) return { request, fault: null, scan };
  const fault = { message: 'A request is an object: {"url": "https://…"}.', offset: 0, line: 1, column: 1 };
  return { request: null, fault, scan };
}
