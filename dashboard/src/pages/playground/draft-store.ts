const KEY = 'sluice-playground';

/** The request that is being written, kept for this tab so that loading the page anew loses nothing. */
export interface StoredDraft {
  readonly text: string;
  /** The scrape whose request was loaded into it. */
  readonly from: string | null;
  /** Values that were masked when it was loaded. */
  readonly masked: readonly string[];
}

interface Kept extends StoredDraft {
  readonly userId: string;
}

/** Only of the same user: it may hold secrets, and somebody else may sign in next. */
export function readDraft(userId: string): StoredDraft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Kept> | null;
    if (draft === null || typeof draft.text !== 'string' || draft.userId !== userId) return null;
    return { text: draft.text, from: draft.from ?? null, masked: draft.masked ?? [] };
  } catch {
    return null;
  }
}

export function storeDraft(draft: StoredDraft, userId: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...draft, userId } satisfies Kept));
  } catch {
    // Too long for the browser, or it keeps nothing: then it lasts as long as the page.
  }
}
