import type { Span } from '@levada/stream-sql';

/** A value as YAML says it, with its place; aliases and merge keys are resolved, tags are gone. */
export type YamlNode = YamlScalar | YamlList | YamlMap;

/** How a scalar is written. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** Text, a number, a boolean or null, by the core schema of YAML 1.2. */
export interface YamlScalar {
  readonly kind: 'scalar';
  /** With quotes or block header; empty for a value that is not written. */
  readonly span: Span;
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /** What it stands for cannot be determined; that was reported. */
  readonly broken?: true;
}

export interface YamlList {
  readonly kind: 'list';
  readonly span: Span;
  readonly items: readonly YamlNode[];
}

export interface YamlMap {
  readonly kind: 'map';
  readonly span: Span;
  /** In order, each key once; those of merge keys last. */
  readonly entries: readonly YamlEntry[];
  /** It has keys, and none that is text; that was reported. */
  readonly broken?: true;
}

export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}
