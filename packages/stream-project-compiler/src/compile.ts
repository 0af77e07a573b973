import type { ProjectArtifacts, TopicArtifact } from './artifacts/artifact.ts';
import {
  type ArtifactList,
  artifactPath,
  manifestPath,
  schemaPath,
  scriptPath,
} from './artifacts/artifact-paths.ts';
import { jobFile, jobScript } from './artifacts/job-file.ts';
import { type ManifestFile, type ProjectManifest, topicFileSchema } from './artifacts/manifest.ts';
import { manifestText } from './artifacts/manifest-text.ts';
import type { OutputFiles } from './artifacts/part-of-files.ts';
import { projectArtifacts } from './artifacts/project-artifacts.ts';
import { projectManifest } from './artifacts/project-manifest.ts';
import { connectorFiles } from './artifacts/sinks/connector-file.ts';
import { testFile } from './artifacts/test-file.ts';
import { topicNames } from './artifacts/topic-names.ts';
import { virtualTopicFiles } from './artifacts/virtual-topic-file.ts';
import { type Diagnostic, isValid, type StageResult } from './diagnostics/diagnostic.ts';
import { type InferredProject, inferProject } from './infer/infer-project.ts';
import type { Job } from './jobs/job.ts';
import { type ProjectJobs, projectJobs, topicSchemas } from './jobs/project-jobs.ts';
import { reportJobs } from './jobs/report-jobs.ts';
import type { TopicSchema } from './jobs/topic-schemas.ts';
import type { LoadedProject } from './load/load-project.ts';
import { parseProject } from './parse/parse-project.ts';
import { type SeverityPolicy, settleDiagnostics } from './report/settle.ts';
import { type NodeId, nodeId } from './resolve/node-id.ts';
import { createObjectMemory, type ObjectMemory } from './resolve/object-memory.ts';
import { resolveProject } from './resolve/resolve-project.ts';
import type { ResolvedTest } from './resolve/resolved-project.ts';
import { type Hole, projectHoles } from './test-jobs/project-holes.ts';
import { type ProjectTests, projectTests } from './test-jobs/project-tests.ts';
import { reportTests } from './test-jobs/report-tests.ts';
import { sha256 } from './text/sha256.ts';
import { runRules } from './validate/run-rules.ts';
import { checkNullKeyTopics } from './validate/structure/null-key-topics.ts';

/** Options of {@link checkProject}. */
export interface CheckProjectOptions {
  /** The day that sunset dates are compared with, `2026-11-21`. Default: today in UTC. */
  readonly today?: string;
  /** Severities by code or name. */
  readonly policy?: SeverityPolicy;
  /** Version of the engine that SQL is checked and compiled for, `2.1`. Default: what the cluster of a model says, else 2.2. */
  readonly engineVersion?: string;
  /** The result of an earlier call for the same folder: only changes since then are checked, and compiled, again. */
  readonly previous?: ProjectReport;
}

/** A project, and everything that is to be said about it. */
export interface ProjectReport {
  /** Whether nothing is an error. */
  readonly valid: boolean;
  /** Whether it is valid and has no holes: every job that it asks for can be written. */
  readonly complete: boolean;
  /** Jobs that cannot be written, each with its reason. Empty for a project that is not valid, whose jobs are not known. */
  readonly holes: readonly Hole[];
  /** Of all stages, in order of their places. */
  readonly diagnostics: readonly Diagnostic[];
  readonly loaded: LoadedProject;
  readonly project: InferredProject;
  /** Results of rules, kept for a call that builds on this one. */
  readonly memory: ObjectMemory;
}

/**
 * Checks a loaded project: form, names, graph, SQL, kinds, columns and rules, everything in one run, and no consequences of
 * earlier mistakes; then, of a valid project, whether each job can be written. Finds all that {@link compile} finds. Touches nothing
 * outside of what was loaded.
 */
export function checkProject(
  loaded: StageResult<LoadedProject>,
  options: CheckProjectOptions = {},
): ProjectReport {
  return checked(loaded, options).report;
}

/** A report, and the jobs that it is about. */
interface CheckedProject {
  readonly report: ProjectReport;
  /** Undefined for a project with errors that the stages before found. */
  readonly written: { readonly jobs: ProjectJobs; readonly tests: ProjectTests } | undefined;
}

function checked(loaded: StageResult<LoadedProject>, options: CheckProjectOptions): CheckedProject {
  const found = findAll(loaded, options);
  const { project, memory } = found;
  const form = settled(found, options);
  if (!form.valid) return { report: { ...form, complete: false, holes: [] }, written: undefined };
  const jobs = projectJobs(project, memory);
  const tests = projectTests(project, jobs, memory);
  const more = [
    ...reportJobs(project, jobs),
    ...checkNullKeyTopics({ project, memory }, jobs),
    ...reportTests(project, tests),
  ];
  const settledAgain = () => settled({ ...found, diagnostics: [...found.diagnostics, ...more] }, options);
  const report = more.length === 0 ? form : settledAgain();
  const holes = report.valid ? projectHoles(project, jobs, tests) : [];
  return {
    report: { ...report, complete: report.valid && holes.length === 0, holes },
    written: { jobs, tests },
  };
}

/** What all stages find, before comments and policies apply. */
type Findings = Omit<ProjectReport, 'valid' | 'complete' | 'holes'>;

function findAll(
  loaded: StageResult<LoadedProject>,
  { today = todayInUtc(), previous, engineVersion }: CheckProjectOptions,
): Findings {
  const before = previous?.project.resolved;
  const parsed = parseProject(loaded.value, before === undefined ? {} : { previous: before.parsed });
  const resolved = resolveProject(parsed.value, before === undefined ? {} : { previous: before });
  const earlier = previous === undefined ? {} : { previous: previous.project };
  const inferred = inferProject(resolved.value, { ...earlier, engineVersion });
  const memory = previous?.memory ?? createObjectMemory();
  const found = runRules({ project: inferred.value, today, memory });
  const all = [loaded, parsed, resolved, inferred].flatMap((stage) => stage.diagnostics);
  return { diagnostics: [...all, ...found], loaded: loaded.value, project: inferred.value, memory };
}

function settled(
  found: Findings,
  { policy = {} }: CheckProjectOptions,
): Findings & Pick<ProjectReport, 'valid'> {
  const { suppressions } = found.project.resolved.parsed;
  const diagnostics = settleDiagnostics(found.diagnostics, { suppressions, policy });
  return { ...found, valid: isValid(diagnostics), diagnostics };
}

function todayInUtc(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Options of {@link compile}. */
export interface CompileOptions extends CheckProjectOptions {
  /** Class by the word of `sink.connector`, before those of `runtime.connect.connector_classes` and of the built-in table. */
  readonly connectorClasses?: Readonly<Record<string, string>>;
}

/** A project that was checked and, when nothing is an error, what it is compiled to. */
export interface Compilation extends ProjectReport, OutputFiles {
  /** Undefined when the project is not valid. */
  readonly manifest: ProjectManifest | undefined;
}

/** Checks a loaded project and, when it is valid, makes its manifest and artifacts. Writes nothing; of a project with errors there are no files. */
export function compile(
  loaded: StageResult<LoadedProject>,
  { connectorClasses = {}, ...options }: CompileOptions = {},
): Compilation {
  const { report, written } = checked(loaded, options);
  if (!report.valid || written === undefined) return { ...report, manifest: undefined, ...noFiles };
  const { project, memory } = report;
  const { jobs, tests } = written;
  const artifacts = projectArtifacts(project, jobs, tests, memory);
  const output = outputFiles(project, artifacts, { connectorClasses, jobs, tests, memory });
  const hashes = output.map((file) => memory.recall(manifestFile, file, []));
  const manifest = projectManifest(project, artifacts, { files: hashes, holes: report.holes, memory });
  const files = new Map<string, string>();
  const secretFiles = new Set<string>();
  const owners = new Map<string, readonly NodeId[]>();
  for (const file of output) {
    files.set(file.path, file.text);
    if (file.secret) secretFiles.add(file.path);
    if (file.owners.length > 0) owners.set(file.path, file.owners);
  }
  files.set(manifestPath, manifestText(manifest, memory));
  return { ...report, manifest, files, secretFiles, owners };
}

/** Nothing to write. */
const noFiles: OutputFiles = { files: new Map(), secretFiles: new Set(), owners: new Map() };

interface OutputFacts {
  /** Those that the caller gives words of `sink.connector`. */
  readonly connectorClasses: Readonly<Record<string, string>>;
  readonly jobs: ProjectJobs;
  readonly tests: ProjectTests;
  readonly memory: ObjectMemory;
}

interface OutputFile {
  readonly path: string;
  readonly text: string;
  /** Whether it has a secret of the project's own files. */
  readonly secret: boolean;
  readonly owners: readonly NodeId[];
}

function manifestFile({ path, text, secret }: OutputFile): ManifestFile {
  return secret ? { path } : { path, sha256: sha256(text) };
}

/**
 * The files of the artifacts, in order of their paths; the same project always gives the same bytes. Files of what did not change are
 * the same objects again.
 */
function outputFiles(
  project: InferredProject,
  { topics }: ProjectArtifacts,
  { connectorClasses, jobs, tests, memory }: OutputFacts,
): readonly OutputFile[] {
  const { models, tests: declared } = project.resolved;
  const names = topicNames(project);
  const writers = new Map([...models.values()].map(({ id }) => [names.of(id) ?? '', id]));
  const ofModel = (list: ArtifactList, name: string, { text, secret }: Pick<OutputFile, 'text' | 'secret'>) =>
    memory.remember('file', { object: models.get(name) ?? models, needs: [text, secret] }, () => {
      return { path: artifactPath(list, name), text, secret, owners: [nodeId('model', name)] };
    });
  const found = [
    connectorFiles(project, connectorClasses).map(({ body, secret }) =>
      ofModel('connectors', body.name, { text: jsonText(body), secret }),
    ),
    [...jobs.jobs.values()].flatMap((job) =>
      memory.remember('files', { object: job, needs: [jobs.secret] }, () => filesOfJob(job, project, jobs)),
    ),
    topicSchemas(jobs).flatMap(({ model, schemas }) =>
      schemas.map((schema) => memory.recall(schemaFile, schema, [model])),
    ),
    [...declared.values()].flatMap((test) => {
      const topic = test.target === undefined ? undefined : names.of(test.target);
      const needs = [tests.tests.get(test.name), topic, jobs.secret];
      return memory.remember('files', { object: test, needs }, () =>
        filesOfTest(test, project, { jobs, tests }),
      );
    }),
    topics.map((topic) => memory.recall(topicFile, topic, [writers.get(topic.name)])),
    virtualTopicFiles(project).map((topic) =>
      ofModel('virtual_topics', topic.model, { text: jsonText(topic), secret: false }),
    ),
  ].flat();
  // Sorting thousands of paths takes longer than comparing them with those of the call before
  const paths = found.map(({ path }) => path);
  const order = memory.remember('order of files', { object: memory, needs: paths }, () =>
    [...paths.keys()].sort((one, other) => ((paths[one] ?? '') < (paths[other] ?? '') ? -1 : 1)),
  );
  return order.flatMap((at) => found[at] ?? []);
}

function filesOfJob(job: Job, project: InferredProject, { secret }: ProjectJobs): readonly OutputFile[] {
  const owners = job.models.map(({ model }) => nodeId('model', model));
  return [
    { path: artifactPath('jobs', job.name), text: jsonText(jobFile(job, project)), secret: false, owners },
    { path: scriptPath('jobs', job.name), text: jobScript(job), secret, owners },
  ];
}

function filesOfTest(
  test: ResolvedTest,
  project: InferredProject,
  { jobs, tests }: Pick<OutputFacts, 'jobs' | 'tests'>,
): readonly OutputFile[] {
  const { name, target } = test;
  const { body, secret } = testFile(test, project, tests);
  const owners = target === undefined ? [] : [target];
  const facts = { path: artifactPath('tests', name), text: jsonText(body), secret, owners };
  const job = tests.tests.get(name)?.job;
  if (job === undefined) return [facts];
  const script = { path: scriptPath('tests', name), text: jobScript(job), secret: jobs.secret, owners };
  return [facts, script];
}

function schemaFile({ part, format, text }: TopicSchema, model: string): OutputFile {
  const path = schemaPath(`${model}-${part}`, format);
  return { path, text: `${text}\n`, secret: false, owners: [nodeId('model', model)] };
}

function topicFile(topic: TopicArtifact, writer: NodeId | undefined): OutputFile {
  const text = jsonText({ schema: topicFileSchema, ...topic });
  return {
    path: artifactPath('topics', topic.name),
    text,
    secret: false,
    owners: writer === undefined ? [] : [writer],
  };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
