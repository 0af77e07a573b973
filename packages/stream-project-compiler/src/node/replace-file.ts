import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/** The content to write to a file. */
export interface FileContent {
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

/** Whether a regular file has this content. A mode that the user made stricter counts as the same. */
export function hasContent(path: string, { text, mode }: FileContent): boolean {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const facts = fstatSync(file);
    const open = process.platform !== 'win32' && (facts.mode & 0o777 & ~mode) !== 0;
    if (open || facts.size !== Buffer.byteLength(text)) return false;
    return readFileSync(file, 'utf8') === text;
  } finally {
    closeSync(file);
  }
}

/**
 * Gives a path its content: writes a temporary file next to it and renames that, so that no reader ever sees half of it. Without
 * promises, which take ten times as long as the calls themselves.
 */
export function replaceFile(path: string, { text, mode }: FileContent): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openNew(temporary, mode);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A process of the same number may have ended in between, and left its file. "wx": a link in its place is not followed. */
function openNew(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    rmSync(path, { force: true });
    return openSync(path, 'wx', mode);
  }
}
