import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import { isTold } from '../parse/is-told.ts';
import { textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { rangeAt } from '../text/source-file.ts';
import type { ProjectSymbols } from './project-symbols.ts';
import type { Reference } from './reference.ts';
import { resolveCodes } from './resolve-codes.ts';

/** Whether a model of the project is private: otherwise every model may refer to every other. */
export function hasPrivate(models: Iterable<Definition<'model'>>): boolean {
  for (const { node } of models) if (node.entries.get('access')?.node.value === 'private') return true;
  return false;
}

/** Reports references of a model to private models of other groups. A private model without a group is open to all models. */
export function checkAccess(
  model: Definition<'model'>,
  references: readonly Reference[],
  symbols: ProjectSymbols,
): readonly Diagnostic[] {
  if (!isTold(model.node, 'group')) return [];
  const group = textAt(model.node, 'group')?.value;
  return references.flatMap((reference) => {
    const isModel = reference.target?.startsWith('model:') === true;
    const target = isModel ? symbols.model.get(reference.target.slice('model:'.length)) : undefined;
    if (target === undefined || target === model || textAt(target.node, 'access')?.value !== 'private')
      return [];
    const owner = textAt(target.node, 'group')?.value;
    return owner === undefined || owner === group ? [] : [denied(model, reference, target)];
  });
}

function denied(model: Definition<'model'>, reference: Reference, target: Definition<'model'>): Diagnostic {
  const { path, range, shown } = reference;
  const message = `model ${quote(model.name ?? model.path)} refers to model ${quote(shown)}, which is private to another group`;
  const place = rangeAt(target.file, placeOf(target.node, 'access').span);
  return diagnose(resolveCodes['access-denied'], {
    message,
    path,
    object: model.object,
    range: range(),
    related: [{ message: 'it is private here', range: place }],
    hint: 'give both models one "group", or the other one "access: protected"',
  });
}
