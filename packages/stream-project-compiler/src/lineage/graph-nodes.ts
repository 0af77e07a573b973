import { type AccessLevel, accessLevels } from '@levada/stream-project-schema';
import type { InferredProject } from '../infer/infer-project.ts';
import type { Definition } from '../parse/definition.ts';
import { isText, listAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { nodeId } from '../resolve/node-id.ts';
import { shownText } from '../resolve/place-in-file.ts';
import { nameRange } from '../resolve/project-symbols.ts';
import type { GraphNode } from './project-graph.ts';

/** The nodes of a project's graph: sources, models, exposures, each in order of the files. */
export function graphNodes({ resolved, materialized }: InferredProject): readonly GraphNode[] {
  return [
    ...[...resolved.sources].map(([name, definition]) => graphNode(name, definition)),
    ...[...resolved.models].map(([name, { definition }]) => {
      const kind = materialized.get(name)?.kind;
      return { ...graphNode(name, definition), ...(kind === undefined ? {} : { materialized: kind }) };
    }),
    ...[...resolved.exposures].map(([name, { definition }]) => graphNode(name, definition)),
  ];
}

function graphNode(
  name: string,
  definition: Definition<'source'> | Definition<'model'> | Definition<'exposure'>,
): GraphNode {
  const { kind, file } = definition;
  const description = shownAt(definition, 'description');
  const owner = shownAt(definition, 'owner');
  // What decides about access is compared, so here variables are replaced
  const group = textAt(definition.node, 'group')?.value;
  const access = kind === 'model' ? textAt(definition.node, 'access')?.value : undefined;
  return {
    id: nodeId(kind, name),
    kind,
    name,
    ...(description === undefined ? {} : { description }),
    ...(owner === undefined ? {} : { owner }),
    tags: tagsOf(definition),
    ...(group === undefined ? {} : { group }),
    ...(isAccessLevel(access) ? { access } : {}),
    file: file.path,
    range: nameRange(definition),
  };
}

function isAccessLevel(text: string | undefined): text is AccessLevel {
  return text !== undefined && Object.hasOwn(accessLevels, text);
}

function tagsOf({ node }: Definition): readonly string[] {
  return (listAt(node, 'tags')?.items ?? []).flatMap((tag) => shown(tag) ?? []);
}

function shownAt({ node }: Definition, key: string): string | undefined {
  return shown(placeOf(node, key).node);
}

function shown(leaf: TypedNode | undefined): string | undefined {
  return isText(leaf) ? shownText(leaf, leaf.value) : undefined;
}
