import { nearestName } from '@levada/stream-project-schema';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import { isDeclared } from '../parse/is-declared.ts';
import { textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { rangeAt } from '../text/source-file.ts';
import type { ProjectSymbols } from './project-symbols.ts';
import type { Reference } from './reference.ts';
import { resolveCodes } from './resolve-codes.ts';

/** Reports references to nothing, each with what may be meant. */
export type CheckReferences = (user: Definition, references: readonly Reference[]) => readonly Diagnostic[];

/** The search for a near name looks at all names; a project in which this many are wrong gets no more hints. */
const MAX_SEARCHES = 200;

/** Checks the references of one project. */
export function referenceChecker(symbols: ProjectSymbols): CheckReferences {
  const found = new Map<string, string | undefined>();
  const nearby = (reference: Reference): string | undefined => {
    const key = `${reference.kind} ${reference.name}`;
    if (!found.has(key) && found.size < MAX_SEARCHES) found.set(key, near(reference, symbols));
    return found.get(key);
  };
  const hintFor = (reference: Reference) => otherKind(reference, symbols) ?? nearby(reference);
  return (user, references) =>
    references
      .filter(({ target }) => target === undefined)
      .map((reference) => unknown(user, reference, hintFor(reference)));
}

function unknown(user: Definition, reference: Reference, hint: string | undefined): Diagnostic {
  const { kind, use, path, shown } = reference;
  const facts = { path, object: user.object, range: reference.range(), hint };
  const owner = `${user.kind} ${quote(user.name ?? user.path)}`;
  if (kind !== 'either') {
    const message = `${owner}: ${kind} ${quote(shown)} is not defined`;
    return diagnose(kind === 'model' ? resolveCodes['unknown-model'] : resolveCodes['unknown-source'], {
      ...facts,
      message,
    });
  }
  if (use === 'test') {
    const message = `${owner}: ${quote(shown)} is not a model or a source`;
    return diagnose(resolveCodes['test-target-not-found'], { ...facts, message });
  }
  const message = `${owner}: topic ${quote(shown)} does not belong to a model or a source`;
  return diagnose(resolveCodes['literal-topic'], { ...facts, message });
}

/** Each kind has its own names, and the wrong macro is an easy mistake. */
function otherKind({ kind, use, name }: Reference, { model, source }: ProjectSymbols): string | undefined {
  const other = kind === 'model' ? 'source' : 'model';
  if (kind === 'either' || !(kind === 'model' ? source : model).has(name)) return undefined;
  const word = other === 'model' ? 'ref' : 'source';
  const form = use === 'sql' ? `{{ ${word}("${name}") }}` : `{${word}: ${name}}`;
  return use === 'test' ? `${quote(name)} is a ${other}` : `there is a ${other} of that name: write ${form}`;
}

function near(reference: Reference, { model, source }: ProjectSymbols): string | undefined {
  const { kind, name } = reference;
  const names = [...(kind === 'source' ? [] : model.keys()), ...(kind === 'model' ? [] : source.keys())];
  const found = nearestName(name, names);
  return found === undefined ? undefined : `did you mean "${found}"?`;
}

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
  if (!isDeclared(model.node, 'group')) return [];
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
    related: [{ message: 'declared private here', range: place }],
    hint: 'set the same "group" for both models, or "access: protected" for the other one',
  });
}
