import type { ProjectFileSystem } from '../../src/index.ts';
import type { FolderEntry } from '../../src/load/file-system.ts';

/** A file, as text or bytes, or another entry. */
export type MemoryEntry =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly kind: 'folder' | 'other' }
  /** A file or folder that is listed and then cannot be read. */
  | { readonly unreadable: string; readonly folder?: true }
  | { readonly text: string; readonly mode: number };

/** A project's folder in memory, entries by path; folders need no entry of their own. */
export function memoryFileSystem(entries: Readonly<Record<string, MemoryEntry>>): ProjectFileSystem {
  const links = Object.entries(entries).flatMap(([from, entry]) =>
    typeof entry === 'object' && 'link' in entry ? [{ from, to: entry.link }] : [],
  );
  return {
    list: async (folder) => {
      const entry = entries[folder];
      if (typeof entry === 'object' && 'unreadable' in entry)
        return { kind: 'unreadable', reason: entry.unreadable };
      return { kind: 'entries', entries: entriesOf(entries, resolved(links, folder)) };
    },
    read: async (path, limit) => {
      const entry = entries[resolved(links, path)];
      if (typeof entry === 'object' && 'unreadable' in entry)
        return { kind: 'unreadable', reason: entry.unreadable };
      const mode = typeof entry === 'object' && 'mode' in entry ? { mode: entry.mode } : {};
      const text = typeof entry === 'object' && 'text' in entry ? entry.text : entry;
      if (typeof text !== 'string' && !(text instanceof Uint8Array))
        return { kind: 'unreadable', reason: 'it does not exist' };
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
      return bytes.length > limit ? { kind: 'too-large' } : { kind: 'bytes', bytes, ...mode };
    },
    follow: async (path) => {
      const entry = entries[path];
      if (typeof entry !== 'object' || !('link' in entry))
        return { kind: 'unreadable', reason: 'it does not exist' };
      if (entry.link.startsWith('/')) return { kind: 'outside' };
      if (entry.link === path) return { kind: 'unreadable', reason: 'its links lead back to it' };
      const target = kindOf(entries, entry.link);
      return { kind: 'inside', path: entry.link, target };
    },
  };
}

function entriesOf(entries: Readonly<Record<string, MemoryEntry>>, folder: string): readonly FolderEntry[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const names = new Map<string, FolderEntry['kind']>();
  for (const [path, entry] of Object.entries(entries)) {
    if (!path.startsWith(prefix) || path === prefix) continue;
    const [name = '', ...rest] = path.slice(prefix.length).split('/');
    if (rest.length > 0) names.set(name, 'folder');
    else if (typeof entry === 'object' && 'link' in entry) names.set(name, 'link');
    else names.set(name, kindOf(entries, path));
  }
  return [...names].map(([name, kind]) => ({ name, kind }));
}

function kindOf(entries: Readonly<Record<string, MemoryEntry>>, path: string): 'file' | 'folder' | 'other' {
  const entry = entries[path];
  if (entry === undefined) return 'folder';
  if (typeof entry === 'object' && 'kind' in entry) return entry.kind;
  return typeof entry === 'object' && 'folder' in entry ? 'folder' : 'file';
}

/** A path below a linked folder, below the folder itself. */
function resolved(links: readonly { readonly from: string; readonly to: string }[], path: string): string {
  const link = links.find(({ from }) => path === from || path.startsWith(`${from}/`));
  return link === undefined ? path : `${link.to}${path.slice(link.from.length)}`;
}
