/** What is smaller is left to the garbage collector. */
const LEAST_BYTES = 4096;

/**
 * Gives the memory of bytes back at once, where they have it for themselves: what a socket read, or the body of a request. Nothing may look at them
 * afterwards: they and all views of them are empty. The garbage collector would find it, too, but each read of a socket is 64 KB
 * outside of the heap, and V8 collects the whole heap whenever some megabytes of such memory were made since the last time.
 */
export function freeMemory(bytes: Uint8Array): void {
  const { buffer } = bytes;
  const isWhole = bytes.byteOffset === 0 && bytes.length === buffer.byteLength;
  // A transfer is what ends an ArrayBuffer.
  if (isWhole && bytes.length >= LEAST_BYTES && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
