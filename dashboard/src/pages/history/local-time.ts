/** For `<input type="datetime-local">`: in the zone of the reader, to the minute. */
export function localOfIso(at: string | undefined): string {
  if (at === undefined) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** And back; undefined when it is empty or none. */
export function isoOfLocal(text: string): string | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
