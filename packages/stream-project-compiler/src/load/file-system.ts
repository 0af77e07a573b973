/** An entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  /** `other`: pipes, sockets, devices. They are never opened. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** The entries of a folder, in any order, or why they cannot be listed. */
export type ListResult =
  | { readonly kind: 'entries'; readonly entries: readonly FolderEntry[] }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The content of a file, or why it cannot be read. */
export type ReadResult =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      /** Permission bits, where there are such. */
      readonly mode?: number;
    }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Where a link leads. */
export type LinkResult =
  /** `path` is free of links, below the project's folder ("" is the folder itself). */
  | { readonly kind: 'inside'; readonly path: string; readonly target: 'file' | 'folder' | 'other' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads one project's folder. Paths are below that folder, with "/" between; "" is the folder itself. Nothing rejects: what
 * goes wrong is part of the answer, `reason` in a few words without paths ("permission denied").
 */
export interface ProjectFileSystem {
  list(folder: string): Promise<ListResult>;
  /** At most `limit` bytes; `too-large` when the file has more. */
  read(path: string, limit: number): Promise<ReadResult>;
  /** Follows a link, and links on its way, to the end. */
  follow(path: string): Promise<LinkResult>;
}

/** Bounds of what is read. None is near to what people write. */
export const loadLimits = {
  /** Bytes of one YAML file. */
  fileBytes: 8 * 1024 * 1024,
  /** Bytes of `.env`. */
  environmentBytes: 1024 * 1024,
  /** Bytes of all YAML files. */
  projectBytes: 64 * 1024 * 1024,
  files: 10_000,
  /** Folders within folders. */
  depth: 64,
  /** Files read at the same time. */
  parallel: 16,
} as const;
