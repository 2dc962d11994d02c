/** False for what asks for nothing: absent, false, 0, empty, and objects of nothing else. */
export function asksFor(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.values(value).some(asksFor);
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
