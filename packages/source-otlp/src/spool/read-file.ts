import { type FileHandle, open } from 'node:fs/promises';

/** The system reads less than 2 GiB at once. */
const READ_BYTES = 1_073_741_824;

/** Bytes of a file from `from` up to `to`; fewer when it ends before. */
export async function readPart(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(Math.max(0, to - from));
  let read = 0;
  while (read < content.length) {
    const wanted = Math.min(READ_BYTES, content.length - read);
    const { bytesRead } = await file.read(content, read, wanted, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return content.subarray(0, read);
}

/** The first `bytes` of a file; fewer when it ends before. */
export async function readStart(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return await readPart(file, 0, bytes);
  } finally {
    await file.close();
  }
}
