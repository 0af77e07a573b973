import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
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
 * New files beside the ones that they are to replace, in a folder of their own below the target: no reader ever sees half of one, and
 * what the disk has no room for is known before the first is replaced. Without promises, which take ten times as long as the calls
 * themselves.
 */
export class StagedFiles {
  readonly #folder: string;
  readonly #paths = new Map<string, string>();

  /** Nothing is made before the first file. */
  constructor(folder: string) {
    // A process of the same number may have been killed, and left its folder
    this.#folder = `${folder}/.staged-${process.pid}`;
  }

  /** Writes what {@link replace} is to put at the path. */
  add(path: string, { text, mode }: FileContent): void {
    if (this.#paths.size === 0) {
      rmSync(this.#folder, { recursive: true, force: true });
      mkdirSync(this.#folder, { mode: 0o700 });
    }
    const staged = `${this.#folder}/${this.#paths.size}`;
    this.#paths.set(path, staged);
    writeFileSync(staged, text, { flag: 'wx', mode });
  }

  /** Puts the file at its path, if there is one for it. Returns whether there was. */
  replace(path: string): boolean {
    const staged = this.#paths.get(path);
    if (staged === undefined) return false;
    renameSync(staged, path);
    return true;
  }

  /** Removes what was not put in place, and the folder. */
  end(): void {
    if (this.#paths.size > 0) rmSync(this.#folder, { recursive: true, force: true });
  }
}
