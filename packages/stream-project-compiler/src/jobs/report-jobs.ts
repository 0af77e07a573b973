import type { Span } from '@levada/stream-sql';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { CatalogueEntry, Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import { textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { clustersOf } from '../resolve/runtime-clusters.ts';
import { rangeAt } from '../text/source-file.ts';
import { engineTarget, isTargetVersion, targetVersions } from './engine-target.ts';
import { jobCodes } from './job-codes.ts';
import type { ProjectJobs } from './project-jobs.ts';
import { reportFusion } from './write/report-fusion.ts';

/** More names are counted. */
const MAX_NAMES = 5;

/** What is to be said about the jobs of a project. */
export function reportJobs(
  project: InferredProject,
  { plans, outlines, refused }: ProjectJobs,
): readonly Diagnostic[] {
  const { resolved } = project;
  const found: Diagnostic[] = [...reportVersions(project), ...reportFusion(project, outlines)];
  const alone: ResolvedModel[] = [];
  for (const model of resolved.models.values()) {
    const refusal = refused.get(model.name);
    const plan = plans.get(model.name);
    if (refusal !== undefined) {
      const message = `model ${quote(shownName(model))} has no job: ${refusal.refused}`;
      const entry = jobCodes[refusal.isMistake === true ? 'job-format' : 'job-not-written'];
      found.push(atSql(model, entry, message, refusal.hint));
    }
    if (plan === undefined) continue;
    if (model.settings.engineCluster === undefined) alone.push(model);
    const { className } = plan.output.written ?? {};
    if (className !== undefined) {
      const message = `the job of model ${quote(shownName(model))} writes Protobuf with the class ${quote(className)}`;
      const hint = `compile ${quote(`schemas/${model.name}-value.proto`)} for Java, and add the classes to the cluster`;
      found.push(atSql(model, jobCodes['job-needs-class'], message, hint));
    }
    const names = plan.assumed.map(({ column, type }) => `${quote(column)} as ${type}`);
    if (names.length > 0) {
      // Names of columns may be values of variables
      const shown = model.sql?.leaf.interpolated === undefined ? listed(names) : `${names.length} columns`;
      const message = `the job of model ${quote(shownName(model))} reads ${shown}: nothing declares their types`;
      const hint = 'declare them in "columns" of the source, with their types';
      found.push(atSql(model, jobCodes['job-assumed-types'], message, hint));
    }
  }
  const [first] = alone;
  if (first === undefined) return found;
  const names = listed(alone.map((model) => quote(shownName(model))));
  const message = `no cluster of the engine runs the jobs of ${names}`;
  const hint = 'name one in "runtime.engine.clusters"';
  return [...found, atSql(first, jobCodes['job-without-cluster'], message, hint)];
}

/** Versions that jobs are not written for, and the ones that are taken for them. */
function reportVersions({ resolved, engineVersion }: InferredProject): readonly Diagnostic[] {
  const { runtime } = resolved.parsed;
  if (runtime === undefined) return [];
  const { file, head, object } = runtime;
  const report = (
    what: string,
    version: string,
    { path, span = head }: { path: string; span?: Span | undefined },
  ) => {
    if (isTargetVersion(version)) return [];
    const message = `${what}, which jobs are not written for: they are written for ${engineTarget(version).version}`;
    const hint = `jobs are written for ${targetVersions.join(', ')}: of another version, try them before they are deployed`;
    const range = rangeAt(file, span);
    return [diagnose(jobCodes['job-version-assumed'], { message, hint, range, path, object })];
  };
  if (engineVersion !== undefined)
    return report(`the given version of the engine is ${quote(engineVersion)}`, engineVersion, {
      path: 'runtime.engine',
    });
  const clusters = clustersOf(resolved.parsed, 'engine')?.byName ?? new Map<string, TypedNode>();
  return [...clusters].flatMap(([name, node]) => {
    const version = textAt(node, 'version');
    if (version === undefined) return [];
    const what = `the cluster ${quote(name)} is of version ${quote(shownText(version, version.value))}`;
    const path = `runtime.engine.clusters.${name}.version`;
    return report(what, version.value, { path, span: placeOf(node, 'version').keySpan });
  });
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function shownName({ definition, name }: ResolvedModel): string {
  return shownText(placeOf(definition.node, 'name').node, name);
}

function atSql(
  { definition }: ResolvedModel,
  entry: CatalogueEntry,
  message: string,
  hint: string | undefined,
): Diagnostic {
  const { file, path, object, node, head } = definition;
  const range = rangeAt(file, node.entries.get('sql')?.keySpan ?? head);
  return diagnose(entry, { message, hint, range, path: `${path}.sql`, object });
}
