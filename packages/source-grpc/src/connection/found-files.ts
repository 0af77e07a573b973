import { bytesOf, textOf } from '@levada/grpc-wire';
import { invalidDescriptor } from '../descriptor/invalid-descriptor.ts';
import { reason } from '../descriptor/set-files.ts';

/** Most files that are asked for. */
const MAX_FILES = 10_000;

/** A file that is imported and not there yet, and the name of one that imports it. */
export interface Missing {
  readonly name: string;
  readonly importer: string;
}

/** What the wire bytes of a `FileDescriptorProto` say about its place among others. */
interface FileHeader {
  readonly name: string;
  readonly imports: readonly string[];
}

/** Files that a server described so far, by name. */
export class FoundFiles {
  readonly #files = new Map<string, { readonly header: FileHeader; readonly bytes: Uint8Array }>();
  /** Names of files that protobuf itself has. */
  readonly #skipped = new Set<string>();

  /** Of several files with one name the first counts. Throws when one is no descriptor, or when there are too many. */
  add(files: readonly Uint8Array[]): void {
    for (const bytes of files) {
      const header = headerOf(bytes);
      if (!this.#files.has(header.name)) this.#files.set(header.name, { header, bytes });
    }
    if (this.#files.size > MAX_FILES)
      throw invalidDescriptor(`the server describes more than ${MAX_FILES} files`);
  }

  /** The file is not to be asked for. */
  skip(name: string): void {
    this.#skipped.add(name);
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** Imports that no file was found for, each once. */
  missing(): readonly Missing[] {
    const missing = new Map<string, Missing>();
    for (const { header } of this.#files.values()) {
      for (const name of header.imports) {
        if (!this.#files.has(name) && !this.#skipped.has(name))
          missing.set(name, { name, importer: header.name });
      }
    }
    if (this.#files.size + missing.size > MAX_FILES) {
      throw invalidDescriptor(`the server describes more than ${MAX_FILES} files`);
    }
    return [...missing.values()];
  }

  /** The files themselves. */
  bytes(): readonly Uint8Array[] {
    return [...this.#files.values()].map(({ bytes }) => bytes);
  }
}

/** Name and imports of a file, nothing else. */
function headerOf(bytes: Uint8Array): FileHeader {
  try {
    const imports = bytesOf(bytes, 3).map((name) => Buffer.from(name).toString());
    return { name: textOf(bytes, 1), imports };
  } catch (cause) {
    throw invalidDescriptor(`an answer of the server is not a descriptor (${reason(cause)})`, { cause });
  }
}
