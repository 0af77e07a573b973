import { placeOf } from '../parse/node-place.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedModel, ResolvedProject } from '../resolve/resolved-project.ts';
import { placeAt, placeIn, shownWords } from './explained-place.ts';
import type { ExplainedInput, ExplainedTest } from './model-explanation.ts';

/** What a model reads, each once, in order of first use. */
export function explainInputs({ inputs }: ResolvedModel): readonly ExplainedInput[] {
  const found = new Map<string, ExplainedInput>();
  for (const { target, kind, name, shown, use, range } of inputs) {
    const key = target ?? `${kind} ${name}`;
    if (found.has(key)) continue;
    const id = target === undefined ? {} : { id: target };
    found.set(key, { ...id, name: shown, use, at: placeAt(range()) });
  }
  return [...found.values()];
}

/** Models and exposures that read a node. */
export function explainReaders(id: NodeId, { edges }: ResolvedProject): readonly NodeId[] {
  return edges.filter(({ from }) => from === id).map(({ to }) => to);
}

/** Tests of a node, in order of the files. */
export function explainTests(id: NodeId, { tests }: ResolvedProject): readonly ExplainedTest[] {
  return [...tests.values()]
    .filter(({ target }) => target === id)
    .map(({ name, definition }) => {
      const type = shownWords(placeOf(definition.node, 'type').node);
      return { name, ...(type === undefined ? {} : { type }), at: placeIn(definition, definition.head) };
    });
}
