/** Called with what a socket has read. The bytes are lent: they are good until it returns, then the next read is there. */
export type TakeRead = (bytes: Buffer) => void;

/** As much as Node reads of a socket at once. */
const READ_BYTES = 65_536;
/**
 * All sockets whose bytes are lent read into this: each read is taken before the next one is made. It is longer than
 * what is ever lent, so that nobody takes lent bytes for memory of their own and frees it.
 */
const memory = Buffer.allocUnsafeSlow(READ_BYTES + 1).subarray(0, READ_BYTES);

/**
 * The option of `net.connect` that makes a socket lend its bytes instead of being a stream of them. A stream gets memory
 * of 64 KiB for each read, shortens it to what came, and leaves it to the garbage collector.
 */
export function lentReads(take: TakeRead) {
  return {
    buffer: memory,
    callback(count: number) {
      take(memory.subarray(0, count));
      return true;
    },
  };
}
