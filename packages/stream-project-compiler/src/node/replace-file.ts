import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, posix } from 'node:path';

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
  readonly #target: string;
  readonly #folder: string;
  /** Paths whose files wait, and folders that hold them. */
  readonly #paths = new Set<string>();
  readonly #folders = new Set<string>();
  /** Folders at the top, and whether they were put in place as a whole. */
  readonly #whole = new Map<string, boolean>();
  /** Folders of the target that are there. */
  readonly #placed = new Set<string>(['.']);

  /** Nothing is made before the first file. `target` exists. */
  constructor(target: string) {
    this.#target = target;
    // A process of the same number may have been killed, and left its folder
    this.#folder = join(target, `.staged-${process.pid}`);
  }

  /** Writes what {@link replace} is to put at a path below the target. */
  add(path: string, { text, mode }: FileContent): void {
    if (this.#paths.size === 0) {
      rmSync(this.#folder, { recursive: true, force: true });
      mkdirSync(this.#folder, { mode: 0o700 });
    }
    const below = posix.dirname(path);
    if (below !== '.' && !this.#folders.has(below)) mkdirSync(join(this.#folder, below), { recursive: true });
    this.#folders.add(below);
    this.#paths.add(path);
    // With the encoding, which is the default, it is one call in Node: without, four
    writeFileSync(join(this.#folder, path), text, { encoding: 'utf8', flag: 'wx', mode });
  }

  /** Puts the file at its path, if there is one for it. Returns whether there was. */
  replace(path: string): boolean {
    if (!this.#paths.has(path)) return false;
    const [first = path, ...rest] = path.split('/');
    if (rest.length > 0 && this.#takesWhole(first)) return true;
    this.#place(posix.dirname(path));
    renameSync(join(this.#folder, path), join(this.#target, path));
    return true;
  }

  /** Whether a folder that the target does not have was put there with all its files, which is one call instead of one for each file. */
  #takesWhole(name: string): boolean {
    const known = this.#whole.get(name);
    if (known !== undefined) return known;
    const target = join(this.#target, name);
    const isMissing = lstatSync(target, { throwIfNoEntry: false }) === undefined;
    const isWhole = isMissing && hasRenamed(join(this.#folder, name), target);
    this.#whole.set(name, isWhole);
    return isWhole;
  }

  #place(below: string): void {
    if (this.#placed.has(below)) return;
    this.#place(posix.dirname(below));
    const folder = join(this.#target, below);
    if (!isFolder(folder)) mkdirSync(folder);
    this.#placed.add(below);
  }

  /** Removes what was not put in place, and the folder. */
  end(): void {
    if (this.#paths.size > 0) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** False when another process has made a folder of that name at the same moment. */
function hasRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (lstatSync(to, { throwIfNoEntry: false })?.isDirectory() === true) return false;
    throw error;
  }
}

/** Whether a folder exists; throws when something else is there, such as a link, which would lead elsewhere. */
export function isFolder(path: string): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return false;
  if (there.isDirectory()) return true;
  throw new Error(`"${path}" is not a folder, nothing is written below it`);
}
