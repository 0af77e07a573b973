import type { DiagnosticName } from '../../src/index.ts';

/** An entry of a hostile project. */
export type HostileEntry =
  | string
  | Uint8Array
  /** A link; its target is taken as it is written. */
  | { readonly link: string }
  | { readonly special: 'folder' | 'pipe' }
  | { readonly text: string; readonly mode: number };

/** Entries by path below the project's folder. */
export type HostileEntries = Readonly<Record<string, HostileEntry>>;

/** A project that no command may accept. */
export interface HostileCase {
  /** Where it comes from, then what it is: `yaml: 1000 opened lists`. Unique. */
  readonly name: string;
  /** Made when it is needed: some are large. */
  readonly entries: () => HostileEntries;
  readonly environment?: Readonly<Record<string, string>>;
  /** Errors of which one must be among those reported. */
  readonly finds: readonly DiagnosticName[];
}

/** Cases of one kind, from a table. */
export function casesOf<Row>(
  origin: string,
  rows: Readonly<Record<string, readonly [finds: DiagnosticName, row: Row]>>,
  entries: (row: Row) => HostileEntries,
): readonly HostileCase[] {
  return Object.entries(rows).map(([name, [finds, row]]) => ({
    name: `${origin}: ${name}`,
    finds: [finds],
    entries: () => entries(row),
  }));
}

/** Text, or how it is made when it is large. */
export type Text = string | (() => string);

/** The text itself. */
export function textOf(text: Text): string {
  return typeof text === 'string' ? text : text();
}
