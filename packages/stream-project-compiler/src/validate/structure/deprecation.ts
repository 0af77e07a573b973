import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { isText, objectAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ObjectNode } from '../../parse/typed-node.ts';
import { type NodeId, nodeId } from '../../resolve/node-id.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import type { Reference } from '../../resolve/reference.ts';
import type { ResolvedProject } from '../../resolve/resolved-project.ts';
import { at, atReference, finding, named } from '../finding.ts';
import type { ModelRule, Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** That the version which a model has will be removed. */
interface Deprecation {
  /** As in the file: `v1`. */
  readonly label: string;
  /** Below the model. */
  readonly path: readonly string[];
  readonly sunset: Sunset | undefined;
  /** What to use instead, as messages may show it. */
  readonly message: string | undefined;
}

/** The day on which a version is removed. */
interface Sunset {
  /** `2026-11-21` */
  readonly day: string;
  /** As messages may show it. */
  readonly shown: string;
}

/** The versions that a model deprecates, by label. */
function labelsOf({ node }: Definition<'model'>): ObjectNode['entries'] {
  return objectAt(node, 'deprecation')?.entries ?? new Map<string, never>();
}

/** The version of a model: `none` when it says none, undefined when it says one that is wrong. */
function versionOf({ node }: Definition<'model'>): number | 'none' | undefined {
  const version = node.entries.get('version')?.node;
  if (version === undefined) return isDeclared(node, 'version') ? 'none' : undefined;
  return version.known && typeof version.value === 'number' ? version.value : undefined;
}

/** What a model says of the version that it has. A model without a version has the only one that is listed. */
function deprecationOf(model: Definition<'model'>): Deprecation | undefined {
  const labels = labelsOf(model);
  const version = versionOf(model);
  if (labels.size === 0 || version === undefined) return undefined;
  const entry = version === 'none' ? onlyOf(labels) : (labels.get(`v${version}`) ?? labels.get(`${version}`));
  if (entry === undefined) return undefined;
  const sunset = placeOf(entry.node, 'sunset_date').node;
  const message = placeOf(entry.node, 'message').node;
  const day = isText(sunset) ? sunset.value.slice(0, 'YYYY-MM-DD'.length) : undefined;
  return {
    label: entry.key,
    path: ['deprecation', entry.key],
    sunset: day === undefined ? undefined : { day, shown: shownText(sunset, day) },
    message: isText(message) && message.value !== '' ? shownText(message, message.value) : undefined,
  };
}

function onlyOf<T>(labels: ReadonlyMap<string, T>): T | undefined {
  const [first, another] = labels.values();
  return another === undefined ? first : undefined;
}

/** The version that a model has was not removed already. */
export const sunsetPassed: ModelRule =
  ({ today }) =>
  ({ model: { definition } }) => {
    const { label, sunset, path = [] } = deprecationOf(definition) ?? {};
    if (label === undefined || sunset === undefined || sunset.day > today) return [];
    return [
      finding(structureCodes['sunset-passed'], at(definition, [...path, 'sunset_date']), {
        message: `version ${quote(label)} of ${named(definition)} reached its sunset date ${sunset.shown}, but is still defined`,
        hint: 'remove the model, or change the date',
      }),
    ];
  };

/** Labels of `deprecation` are versions of the model. */
export const unknownVersion: ModelRule =
  () =>
  ({ model: { definition } }) => {
    const labels = labelsOf(definition);
    const version = versionOf(definition);
    if (version === undefined) return [];
    if (version === 'none') return labels.size > 1 ? [withoutVersion(definition)] : [];
    return [...labels.keys()].flatMap((label) => {
      const number = /^v?(\d+)$/i.exec(label)?.[1];
      if (number !== undefined && Number(number) <= version) return [];
      return [
        finding(structureCodes['unknown-version'], at(definition, ['deprecation', label], 'key'), {
          message: `${named(definition)} deprecates version ${quote(label)}, but its own version is ${version}`,
          hint: `expected "v${version}" or an earlier version`,
        }),
      ];
    });
  };

function withoutVersion(model: Definition<'model'>): Diagnostic {
  return finding(structureCodes['unknown-version'], at(model, 'deprecation', 'key'), {
    message: `${named(model)} deprecates several versions, but has no "version"`,
    hint: 'add "version"',
  });
}

/** A model whose version is deprecated. */
interface DeprecatedModel {
  readonly model: Definition<'model'>;
  readonly deprecation: Deprecation;
}

/** Nothing refers to a model whose version is deprecated; from its sunset date on a reference is an error. */
export const deprecatedReference: Rule = ({ project: { resolved }, today }) => {
  const deprecated = new Map<NodeId, DeprecatedModel>(
    [...resolved.models.values()].flatMap(({ id, definition: model }) => {
      const deprecation = deprecationOf(model);
      return deprecation === undefined ? [] : [[id, { model, deprecation }]];
    }),
  );
  if (deprecated.size === 0) return [];
  return usersOf(resolved).flatMap(({ user, references }) =>
    references.flatMap((reference) => {
      const { target } = reference;
      const found = target === undefined || target === idOf(user) ? undefined : deprecated.get(target);
      return found === undefined ? [] : [referenceFinding({ user, reference, ...found }, today)];
    }),
  );
};

interface User {
  readonly user: Definition;
  readonly references: readonly Reference[];
}

/** A test of a model is removed with the model, so only the models of its foreign keys count. */
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

interface DeprecatedUse extends DeprecatedModel {
  readonly user: Definition;
  readonly reference: Reference;
}

function referenceFinding({ user, reference, model, deprecation }: DeprecatedUse, today: string): Diagnostic {
  const { label, sunset, message, path } = deprecation;
  const isGone = sunset !== undefined && sunset.day <= today;
  const when =
    sunset === undefined ? 'is deprecated' : `${isGone ? 'was' : 'will be'} removed on ${sunset.shown}`;
  const says = message === undefined ? '' : `: ${quote(message)}`;
  const entry = structureCodes[isGone ? 'sunset-reference' : 'deprecated-reference'];
  return finding(entry, atReference(user, reference), {
    message: `${named(user)} refers to model ${quote(reference.shown)}, whose version ${quote(label)} ${when}${says}`,
    related: [{ message: 'deprecated here', range: at(model, path, 'key').range }],
    hint: message === undefined ? 'ask the owner of the model what to use instead' : undefined,
  });
}
