import type { Definition } from '../../parse/definition.ts';
import { isTold } from '../../parse/is-told.ts';
import { isText } from '../../parse/known-value.ts';
import type { EntryNode, TypedNode } from '../../parse/typed-node.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import type { TextRange } from '../../text/range.ts';
import { rangeAt } from '../../text/source-file.ts';

/** That the version which a model has will go. */
export interface Deprecation {
  /** As in the file: `v1`. */
  readonly label: string;
  /** Where it stands, and below which keys. */
  readonly range: TextRange;
  readonly path: string;
  readonly sunset: Sunset | undefined;
  /** What to use instead, as it may be shown. */
  readonly message: string | undefined;
}

/** The day on which a version goes. */
export interface Sunset {
  /** `2026-11-21` */
  readonly day: string;
  /** As it may be shown. */
  readonly shown: string;
  readonly range: TextRange;
}

/** Versions that a model says will go, by label. */
export function deprecationLabels({ node }: Definition<'model'>): ReadonlyMap<string, EntryNode> {
  const labels = node.entries.get('deprecation')?.node;
  return labels?.kind === 'object' ? labels.entries : none;
}

const none: ReadonlyMap<string, EntryNode> = new Map();

/** The version of a model: `none` when it says none, undefined when it says one that is wrong. */
export function versionOf({ node }: Definition<'model'>): number | 'none' | undefined {
  const version = node.entries.get('version')?.node;
  if (version === undefined) return isTold(node, 'version') ? 'none' : undefined;
  return version.known && typeof version.value === 'number' ? version.value : undefined;
}

/** What a model says of the version that it has. A model without a version has the only one that is listed. */
export function deprecationOf(model: Definition<'model'>): Deprecation | undefined {
  const labels = deprecationLabels(model);
  const version = versionOf(model);
  if (labels.size === 0 || version === undefined) return undefined;
  const entry =
    version === 'none' ? onlyEntry(labels) : (labels.get(`v${version}`) ?? labels.get(`${version}`));
  if (entry === undefined) return undefined;
  const path = `${model.path}.deprecation.${entry.key}`;
  return {
    label: entry.key,
    range: rangeAt(model.file, entry.keySpan),
    path,
    sunset: sunsetOf(model, below(entry, 'sunset_date')),
    message: shownBelow(below(entry, 'message')),
  };
}

function onlyEntry(labels: ReadonlyMap<string, EntryNode>): EntryNode | undefined {
  const [first, another] = labels.values();
  return another === undefined ? first : undefined;
}

function below({ node }: EntryNode, key: string): TypedNode | undefined {
  return node.kind === 'object' ? node.entries.get(key)?.node : undefined;
}

function sunsetOf(model: Definition<'model'>, node: TypedNode | undefined): Sunset | undefined {
  if (!isText(node)) return undefined;
  const day = node.value.slice(0, 'YYYY-MM-DD'.length);
  return { day, shown: shownText(node, day), range: rangeAt(model.file, node.span) };
}

function shownBelow(node: TypedNode | undefined): string | undefined {
  return isText(node) && node.value !== '' ? shownText(node, node.value) : undefined;
}
