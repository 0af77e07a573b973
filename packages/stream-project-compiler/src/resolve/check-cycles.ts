import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { TextRange } from '../text/range.ts';
import { nameRange } from './project-symbols.ts';
import { resolveCodes } from './resolve-codes.ts';
import type { ResolvedModel } from './resolved-project.ts';

/** Longer ways round and larger sets are cut. */
const MAX_SHOWN = 20;

/** One finding for a set of models that depend on themselves, with the shortest way round from the first of them. */
export function cycleFinding(members: readonly ResolvedModel[]): Diagnostic {
  const way = shortestWay(members);
  const [first, ...others] = way;
  const names = way.map(({ model }) => model.name);
  const start = names[0] ?? '';
  const more = members.length > way.length ? `; ${members.length} models are in circles with it` : '';
  const all = members.map(({ name }) => name).sort();
  return diagnose(resolveCodes['cycle'], {
    message: `model ${quote(start)} depends on itself: ${[...cut(names), start].join(' → ')}${more}`,
    object: `model:${cut(all).join(',')}`,
    range: first?.range() ?? nowhere,
    path: first?.path ?? '',
    related: others
      .slice(0, MAX_SHOWN)
      .map(({ model, range }) => ({ message: `${model.name} goes on here`, range: range() })),
    hint: 'remove one of these references',
  });
}

function cut(names: readonly string[]): readonly string[] {
  return names.length > MAX_SHOWN ? [...names.slice(0, MAX_SHOWN), '…'] : names;
}

const nowhere: TextRange = { file: '', start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/** A model, and where it names the next one: what it reads. */
interface Step {
  readonly model: ResolvedModel;
  readonly path: string;
  readonly range: () => TextRange;
}

/** From the first model along what each reads, back to it; breadth first. */
function shortestWay(members: readonly ResolvedModel[]): readonly Step[] {
  const [start] = members;
  if (start === undefined) return [];
  const byId = new Map<string, ResolvedModel>(members.map((model) => [model.id, model]));
  const cameFrom = new Map<ResolvedModel, ResolvedModel>();
  const waiting = [start];
  for (const model of waiting) {
    for (const { target } of model.inputs) {
      const next = target === undefined ? undefined : byId.get(target);
      if (next === start) return wayTo(start, model, cameFrom);
      if (next === undefined || cameFrom.has(next)) continue;
      cameFrom.set(next, model);
      waiting.push(next);
    }
  }
  return [];
}

function wayTo(
  start: ResolvedModel,
  end: ResolvedModel,
  cameFrom: ReadonlyMap<ResolvedModel, ResolvedModel>,
): readonly Step[] {
  const models = [end];
  for (let at = end; at !== start; models.push(at)) at = cameFrom.get(at) ?? start;
  models.reverse();
  return models.map((model, index) => stepTo(model, models[index + 1] ?? start));
}

function stepTo(model: ResolvedModel, next: ResolvedModel): Step {
  const used = model.inputs.find(({ target }) => target === next.id);
  return {
    model,
    path: used?.path ?? model.definition.path,
    range: used?.range ?? (() => nameRange(model.definition)),
  };
}
