/** How long a key is to work. `keep`: as it is; `date`: until `date`. */
export interface Expiry {
  readonly choice: string;
  /** As `<input type="datetime-local">` has it, in the zone of the reader. */
  readonly date: string;
}

export const NEVER: Expiry = { choice: 'never', date: '' };

const DAY_MS = 86_400_000;

/** Days by their name. */
export const PRESETS: readonly (readonly [days: number, label: string])[] = [
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
];

/** For the API: a time, null for never, undefined for what stays as it is (or is no date). */
export function expiryTime({ choice, date }: Expiry, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice === 'keep') return undefined;
  const at = choice === 'date' ? new Date(date).getTime() : now + Number(choice) * DAY_MS;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** What is wrong with it; null: nothing. */
export function expiryProblem(expiry: Expiry, now: number): string | null {
  if (expiry.choice !== 'date') return null;
  const at = new Date(expiry.date).getTime();
  if (Number.isNaN(at)) return 'Choose a day and a time.';
  return at > now ? null : 'Choose a time that is still to come.';
}

/** A month from now, to begin with. */
export function firstDate(now: number): string {
  const at = new Date(now + 30 * DAY_MS);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
