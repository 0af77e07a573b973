import { type FieldPath, parsePath } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import type { TypedNode } from './typed-node.ts';

/** Where a value is written, or would be. */
export interface NodePlace {
  /** The value; of an absent one, the key of the nearest object around it that is there. */
  readonly span: Span;
  /** Its key, if it has one and is there. */
  readonly keySpan: Span | undefined;
  /** Undefined when it is absent. */
  readonly node: TypedNode | undefined;
}

/** The place of a value below a node: `placeOf(model.node, 'advanced.topic.name')`. */
export function placeOf(from: TypedNode, path: FieldPath | string): NodePlace {
  let node = from;
  let keySpan: Span | undefined;
  for (const step of stepsOf(path)) {
    const next = below(node, step);
    if (next === undefined) return { span: keySpan ?? headSpan(node), keySpan: undefined, node: undefined };
    node = next.node;
    keySpan = next.keySpan;
  }
  return { span: node.span, keySpan, node };
}

/** The steps of a path. Rules ask for places by the same few paths, thousands of times: what they are split into is kept. */
export function stepsOf(path: FieldPath | string): FieldPath {
  if (typeof path !== 'string') return path;
  const known = knownSteps.get(path);
  if (known !== undefined) return known;
  const steps = path.includes('[') ? parsePath(path) : path.split('.');
  if (knownSteps.size < MAX_KNOWN_PATHS) knownSteps.set(path, steps);
  return steps;
}

const knownSteps = new Map<string, FieldPath>();
/** Constants of the compiler are fewer; paths that are made of positions come in any number. */
const MAX_KNOWN_PATHS = 1000;

/** What to underline for an object as a whole: its first key. */
export function headSpan(node: TypedNode): Span {
  if (node.kind !== 'object') return node.span;
  const [first] = node.entries.values();
  return first?.keySpan ?? { start: node.span.start, end: Math.min(node.span.end, node.span.start + 1) };
}

function below(
  node: TypedNode,
  step: string | number,
): { readonly node: TypedNode; readonly keySpan: Span | undefined } | undefined {
  if (node.kind === 'object') return node.entries.get(String(step));
  const item = node.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? undefined : { node: item, keySpan: undefined };
}
