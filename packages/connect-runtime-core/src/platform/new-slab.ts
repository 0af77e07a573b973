/** Size of a slab. Above 32 MiB, whatever was allocated and freed before, glibc maps memory for one request alone. */
export const SLAB_BYTES = 33 * 1024 * 1024;

/**
 * Memory for much that waits long, to be cut into pieces. It goes back to the system as a whole when nothing of it is used any
 * more. Pieces that are allocated one by one lie among everything else, and glibc gives none of their space back while anything
 * lies above it: after a flood that were 100 MiB and more. What was never written takes no memory.
 */
export function newSlab(): Buffer {
  return Buffer.allocUnsafeSlow(SLAB_BYTES);
}
