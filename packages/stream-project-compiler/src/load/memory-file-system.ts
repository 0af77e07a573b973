import type { FolderEntry, ProjectFileSystem, ReadResult } from './file-system.ts';

/**
 * A project's folder in memory, for editors, pages and tests: the text or bytes of each file by its path, as in
 * `{ 'stream_project.yml': text, 'models/orders.yml': text }`. Folders need no entry of their own. Files that are changed in the
 * object later are read as they are then.
 */
export function memoryFileSystem(files: Readonly<Record<string, string | Uint8Array>>): ProjectFileSystem {
  return {
    list: async (folder) => ({ kind: 'entries', entries: entriesOf(Object.keys(files), folder) }),
    read: async (path, limit) => bytesOf(Object.hasOwn(files, path) ? files[path] : undefined, limit),
    follow: async () => ({ kind: 'unreadable', reason: 'it does not exist' }),
  };
}

function entriesOf(paths: readonly string[], folder: string): readonly FolderEntry[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const kinds = new Map<string, FolderEntry['kind']>();
  for (const path of paths) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...below] = path.slice(prefix.length).split('/');
    if (name !== '') kinds.set(name, below.length > 0 ? 'folder' : 'file');
  }
  return [...kinds].map(([name, kind]) => ({ name, kind }));
}

function bytesOf(content: string | Uint8Array | undefined, limit: number): ReadResult {
  if (content === undefined) return { kind: 'unreadable', reason: 'it does not exist' };
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return bytes.length > limit ? { kind: 'too-large' } : { kind: 'bytes', bytes };
}
