import type { Field } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import type { InterpolatedText } from './interpolate.ts';
import type { YamlScalar } from './yaml-tree.ts';

/** A value of a file with its row and its place. */
export type TypedNode = LeafNode | ListNode | ObjectNode;

interface NodeFacts {
  readonly span: Span;
  /** Of the kind that the row asks for, with all that is required. If not, that was reported. */
  readonly known: boolean;
  /** Plain data after variables were replaced, without what is not known. Meaningless when the node is not known. */
  readonly value: unknown;
}

/** A value that holds no others. */
export interface LeafNode extends NodeFacts {
  readonly kind: 'leaf';
  readonly row: Field;
  readonly scalar: YamlScalar;
  /** Present when the value had variables, or `$${`. */
  readonly interpolated?: InterpolatedText;
  /** Never to be printed. */
  readonly secret?: true;
}

export interface ListNode extends NodeFacts {
  readonly kind: 'list';
  readonly row: Field;
  readonly items: readonly TypedNode[];
}

/** An object of any row with keys: `object`, `map`, `choice`, `any`. */
export interface ObjectNode extends NodeFacts {
  readonly kind: 'object';
  readonly row: Field;
  /** Keys that the row knows, in order of the file. */
  readonly entries: ReadonlyMap<string, EntryNode>;
  /** The object has keys that the row does not know. They have been reported; each may be meant for a key that seems absent. */
  readonly hasUnknownKeys?: true;
  /** Keys that misspelt ones mean, or that these belong below: `description` for `descripton`, `advanced` for `gateway`. They are not missing. */
  readonly misspelt?: ReadonlySet<string>;
}

export interface EntryNode {
  readonly key: string;
  readonly keySpan: Span;
  readonly node: TypedNode;
}
