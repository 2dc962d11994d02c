/**
 * Frees the memory of bytes that nobody needs any more, at once: the garbage collector is late when pieces of large
 * bodies come fast. Does nothing when other bytes may be in the same memory.
 */
export function freeWhole({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
