import { formatPath } from '@levada/stream-project-schema';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { CatalogueEntry, Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import { placeOf } from '../parse/node-place.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { ResolvedTest } from '../resolve/resolved-project.ts';
import { rangeAt } from '../text/source-file.ts';
import { type ContinuousTest, deadLetterTopics } from './continuous-test.ts';
import type { ProjectTests } from './project-tests.ts';
import { testJobCodes } from './test-job-codes.ts';

/** More names are counted. */
const MAX_NAMES = 5;

/** What is to be said about the jobs of a project's tests. */
export function reportTests(
  project: InferredProject,
  { tests, refused, violationsTopic }: ProjectTests,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const withJob: ResolvedTest[] = [];
  for (const test of project.resolved.tests.values()) {
    const refusal = refused.get(test.name);
    if (refusal !== undefined) {
      const message = `test ${quote(shownName(test))} has no job: ${refusal.refused}`;
      found.push(
        atTest(test, testJobCodes['test-not-written'], { message, hint: refusal.hint, key: 'model' }),
      );
    }
    const made = tests.get(test.name);
    if (made === undefined) continue;
    found.push(
      ...made.findings,
      ...refusals(test, made),
      ...assumptions(test, made),
      ...withoutDeadLetters(test, made),
    );
    if (made.job !== undefined) withJob.push(test);
  }
  return [...found, ...topicUse(project, withJob, violationsTopic)];
}

function refusals(test: ResolvedTest, { impossible }: ContinuousTest): readonly Diagnostic[] {
  return impossible.map(({ assertion: { kind, path }, refusal: { refused: reason, hint } }) => {
    const message = `"${kind}" of test ${quote(shownName(test))} cannot run continuously: ${reason}`;
    return atTest(test, testJobCodes['assertion-not-continuous'], { message, hint, key: formatPath(path) });
  });
}

function assumptions(test: ResolvedTest, { job }: ContinuousTest): readonly Diagnostic[] {
  const names = (job?.assumed ?? []).map(({ column, type }) => `${quote(column)} as ${type}`);
  if (names.length === 0) return [];
  const message = `test ${quote(shownName(test))} reads ${listed(names)}: nothing declares their types`;
  const hint = 'declare them in "columns" of the source, with their types';
  return [atTest(test, testJobCodes['test-assumed-types'], { message, hint, key: 'assertions' })];
}

/** Assertions that cannot run may be those about records, so that they come first. */
function withoutDeadLetters(test: ResolvedTest, { job, impossible }: ContinuousTest): readonly Diagnostic[] {
  const writesRecords = job?.writes.some(({ holds }) => holds === 'failed-records') ?? true;
  if (writesRecords || impossible.length > 0 || deadLetterTopics(test).length === 0) return [];
  const message = `"dlq" of test ${quote(shownName(test))} gets no records: none of its assertions looks at records one by one`;
  const hint = 'add an assertion such as "not_null", or remove "dlq"';
  return [atTest(test, testJobCodes['dead-letters-missing'], { message, hint, key: 'on_failure.actions' })];
}

/** Violations have a topic for themselves: one finding at the first test. */
function topicUse(
  { resolved: { sources, models } }: InferredProject,
  withJob: readonly ResolvedTest[],
  topic: string,
): readonly Diagnostic[] {
  const [first] = withJob;
  if (first === undefined) return [];
  const source = [...sources].find(([, { value }]) => value?.topic === topic)?.[0];
  const model = [...models.values()].find(({ settings }) => settings.topicName?.value === topic)?.name;
  const other = withJob.find((test) => deadLetterTopics(test).includes(topic));
  const user =
    source === undefined
      ? model === undefined
        ? other && `"dlq" of test ${quote(shownName(other))}`
        : `model ${quote(model)}`
      : `source ${quote(source)}`;
  if (user === undefined) return [];
  const message = `violations of test ${quote(shownName(first))} go to topic ${quote(topic)}, which ${user} has too`;
  const hint = 'name another one in "defaults.tests.violations_topic"';
  return [atTest(first, testJobCodes['violations-topic-used'], { message, hint, key: 'name' })];
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function shownName({ definition, name }: ResolvedTest): string {
  return shownText(placeOf(definition.node, 'name').node, name);
}

function atTest(
  { definition }: ResolvedTest,
  entry: CatalogueEntry,
  {
    message,
    hint,
    key,
  }: { readonly message: string; readonly hint: string | undefined; readonly key: string },
): Diagnostic {
  const { file, path, object, node, head } = definition;
  const { keySpan } = placeOf(node, key);
  return diagnose(entry, {
    message,
    hint,
    range: rangeAt(file, keySpan ?? head),
    path: `${path}.${key}`,
    object,
  });
}
