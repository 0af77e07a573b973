import type { Parsed } from '../parse/definition.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import type { ObjectMemory } from '../resolve/object-memory.ts';
import type { VariableArtifact } from './artifact.ts';

/** A variable at one place. */
interface VariableUse {
  readonly name: string;
  readonly secret: boolean;
  readonly isNeeded: boolean;
  readonly path: string;
}

/** More places of one variable are not listed. */
const MAX_PLACES = 20;

/** The variables of a project's files, each once, in order of names. Definitions that did not change are not read again. */
export function projectVariables(parsed: ParsedProject, memory: ObjectMemory): readonly VariableArtifact[] {
  const { project, runtime, defaults, rules, sources, models, tests, exposures } = parsed;
  const sections = [project, runtime, defaults, rules].filter((section) => section !== undefined);
  const all: readonly Parsed<unknown>[] = [...sections, ...sources, ...models, ...tests, ...exposures];
  const uses = all.flatMap((section) => {
    const { path: file } = section.file;
    return memory.recall(usesIn, section, []).map((use) => ({ ...use, file }));
  });
  const byName = [...Map.groupBy(uses, ({ name }) => name)].sort(([one], [other]) => (one < other ? -1 : 1));
  return byName.map(([name, places]) => ({
    name,
    secret: places.some(({ secret }) => secret),
    required: places.some(({ isNeeded }) => isNeeded),
    places: places
      .map(({ file, path }) => ({ file, path }))
      .sort((one, other) => (`${one.file}\n${one.path}` < `${other.file}\n${other.path}` ? -1 : 1))
      .slice(0, MAX_PLACES),
  }));
}

function usesIn(section: Parsed<unknown>): readonly VariableUse[] {
  const found: VariableUse[] = [];
  collect(section.node, section.object, found);
  return found;
}

/** Depth is bounded by the reader of YAML. */
function collect(node: TypedNode, path: string, found: VariableUse[]): void {
  if (node.kind === 'object') {
    for (const { key, node: below } of node.entries.values()) collect(below, `${path}.${key}`, found);
  } else if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) collect(item, `${path}[${index}]`, found);
  } else if (node.interpolated !== undefined) {
    const text = String(node.scalar.value);
    for (const name of node.interpolated.variables)
      found.push({ name, secret: node.secret === true, isNeeded: text.includes(`\${${name}}`), path });
  }
}
