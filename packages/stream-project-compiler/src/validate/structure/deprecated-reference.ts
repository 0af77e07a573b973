import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { type NodeId, nodeId } from '../../resolve/node-id.ts';
import type { Reference } from '../../resolve/reference.ts';
import type { ResolvedProject } from '../../resolve/resolved-project.ts';
import type { Rule } from '../rule.ts';
import { type Deprecation, deprecationOf } from './deprecation.ts';
import { structureCodes } from './structure-codes.ts';

/** Nothing refers to a model whose version will go; from the day on which it goes a reference is an error. */
export const deprecatedReference: Rule = ({ project: { resolved }, today }) => {
  const leaving = new Map<NodeId, Deprecation>(
    [...resolved.models.values()].flatMap(({ id, definition }) => {
      const deprecation = deprecationOf(definition);
      return deprecation === undefined ? [] : [[id, deprecation]];
    }),
  );
  if (leaving.size === 0) return [];
  return usersOf(resolved).flatMap(({ user, references }) =>
    references.flatMap((reference) => {
      const { target } = reference;
      const deprecation = target === undefined || target === idOf(user) ? undefined : leaving.get(target);
      return deprecation === undefined ? [] : [finding({ user, reference, deprecation }, today)];
    }),
  );
};

interface User {
  readonly user: Definition;
  readonly references: readonly Reference[];
}

/** A test of a model goes with the model, so only the models of its foreign keys count. */
function usersOf({ models, exposures, tests }: ResolvedProject): readonly User[] {
  return [
    ...[...models.values()].map(({ definition: user, inputs: references }) => ({ user, references })),
    ...[...exposures.values()].map(({ definition: user, consumes, produces }) => ({
      user,
      references: [...consumes, ...produces],
    })),
    ...[...tests.values()].map(({ definition: user, references }) => ({
      user,
      references: references.filter(({ kind }) => kind === 'model'),
    })),
  ];
}

function idOf({ kind, name = '' }: Definition): NodeId | undefined {
  return kind === 'model' ? nodeId(kind, name) : undefined;
}

interface Use {
  readonly user: Definition;
  readonly reference: Reference;
  readonly deprecation: Deprecation;
}

function finding({ user, reference, deprecation }: Use, today: string): Diagnostic {
  const { label, sunset, message } = deprecation;
  const isGone = sunset !== undefined && sunset.day <= today;
  const when = sunset === undefined ? 'is deprecated' : `${isGone ? 'went' : 'goes'} on ${sunset.shown}`;
  const says = message === undefined ? '' : `: ${quote(message)}`;
  return diagnose(isGone ? structureCodes['sunset-reference'] : structureCodes['deprecated-reference'], {
    message: `${user.kind} ${quote(user.name ?? user.path)} refers to model ${quote(reference.shown)}, whose version ${quote(label)} ${when}${says}`,
    path: reference.path,
    object: user.object,
    range: reference.range(),
    related: [{ message: 'it is deprecated here', range: deprecation.range }],
    hint: message === undefined ? 'ask the owner of the model what to use instead' : undefined,
  });
}
