/** Whether an answer has no body by its nature (RFC 9110 §6.4.1). 205 has none either (§15.3.6). */
export function bodyless(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}
