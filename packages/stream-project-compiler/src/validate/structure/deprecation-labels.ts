import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { placeOf } from '../../parse/node-place.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { deprecationLabels, deprecationOf, versionOf } from './deprecation.ts';
import { structureCodes } from './structure-codes.ts';

/** Labels of `deprecation` are versions of the model, and the version that it has did not go already. */
export const deprecationLabelRules: readonly Rule[] = [
  ({ project, today }) =>
    [...project.resolved.models.values()].flatMap(({ definition }) => sunsetPassed(definition, today)),
  ({ project }) =>
    [...project.resolved.models.values()].flatMap(({ definition }) => unknownVersions(definition)),
];

function sunsetPassed(model: Definition<'model'>, today: string): readonly Diagnostic[] {
  const { label, sunset, path } = deprecationOf(model) ?? {};
  if (label === undefined || sunset === undefined || sunset.day > today) return [];
  return [
    diagnose(structureCodes['sunset-passed'], {
      message: `version ${quote(label)} of model ${quote(model.name ?? '')} went on ${sunset.shown} and is still there`,
      path: `${path}.sunset_date`,
      object: model.object,
      range: sunset.range,
      hint: 'remove the model, or move the date',
    }),
  ];
}

function unknownVersions(model: Definition<'model'>): readonly Diagnostic[] {
  const labels = deprecationLabels(model);
  const version = versionOf(model);
  if (version === undefined) return [];
  if (version === 'none') return labels.size > 1 ? [withoutVersion(model)] : [];
  return [...labels.values()].flatMap(({ key, keySpan }) => {
    const number = /^v?(\d+)$/i.exec(key)?.[1];
    if (number !== undefined && Number(number) <= version) return [];
    return [
      diagnose(structureCodes['unknown-version'], {
        message: `model ${quote(model.name ?? '')} deprecates the version ${quote(key)}, and its own version is ${version}`,
        path: `${model.path}.deprecation.${key}`,
        object: model.object,
        range: rangeAt(model.file, keySpan),
        hint: `labels are "v${version}" and those of earlier versions`,
      }),
    ];
  });
}

function withoutVersion(model: Definition<'model'>): Diagnostic {
  const { keySpan, span } = placeOf(model.node, 'deprecation');
  return diagnose(structureCodes['unknown-version'], {
    message: `model ${quote(model.name ?? '')} deprecates several versions and does not say which one it is`,
    path: `${model.path}.deprecation`,
    object: model.object,
    range: rangeAt(model.file, keySpan ?? span),
    hint: 'write "version"',
  });
}
