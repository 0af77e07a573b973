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
import { type ProjectJobs, projectJobs, topicSchemas } from './jobs/project-jobs.ts';
import { reportJobs } from './jobs/report-jobs.ts';
import type { LoadedProject } from './load/load-project.ts';
import { parseProject } from './parse/parse-project.ts';
import { type SeverityPolicy, settleDiagnostics } from './report/settle.ts';
import { type NodeId, nodeId } from './resolve/node-id.ts';
import { createObjectMemory, type ObjectMemory } from './resolve/object-memory.ts';
import { resolveProject } from './resolve/resolve-project.ts';
import { type Hole, projectHoles } from './test-jobs/project-holes.ts';
import { type ProjectTests, projectTests } from './test-jobs/project-tests.ts';
import { reportTests } from './test-jobs/report-tests.ts';
import { sha256 } from './text/sha256.ts';
import { runRules } from './validate/run-rules.ts';

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
  const more = [...reportJobs(project, jobs), ...reportTests(project, tests)];
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
  const { files, secretFiles, owners } = artifactFiles(project, artifacts, {
    connectorClasses,
    jobs,
    tests,
    memory,
  });
  const hashed = hashedFiles({ files, secretFiles }, options.previous);
  const manifest = projectManifest(project, artifacts, { files: hashed, holes: report.holes, memory });
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

/** Files by their paths, and their hashes unless they hold secrets. Hashes of files that are as before are not computed again. */
function hashedFiles(
  { files, secretFiles }: Pick<OutputFiles, 'files' | 'secretFiles'>,
  previous: CompileOptions['previous'],
): readonly ManifestFile[] {
  const before = previous !== undefined && 'manifest' in previous ? (previous as Compilation) : undefined;
  const known = new Map(before?.manifest?.files.map((file) => [file.path, file]));
  const paths = [...files.keys()].sort();
  return paths.map((path) => {
    const text = files.get(path) ?? '';
    const file = known.get(path);
    const isSame = before?.files.get(path) === text && before.secretFiles.has(path) === secretFiles.has(path);
    if (file !== undefined && isSame) return file;
    return secretFiles.has(path) ? { path } : { path, sha256: sha256(text) };
  });
}

/** Makes the files of the artifacts; the same project always gives the same bytes. */
function artifactFiles(
  project: InferredProject,
  { topics }: ProjectArtifacts,
  { connectorClasses, jobs, tests, memory }: OutputFacts,
): OutputFiles & { readonly files: Map<string, string> } {
  const connectors = connectorFiles(project, connectorClasses);
  const files = new Map<string, string>();
  const owners = new Map<string, readonly NodeId[]>();
  const names = topicNames(project);
  const models = [...project.resolved.models.values()];
  const writers = new Map(models.flatMap(({ id }) => [[names.of(id) ?? '', id] as const]));
  const own = (path: string, ...nodes: readonly (NodeId | undefined)[]) => {
    const known = nodes.filter((node) => node !== undefined);
    if (known.length > 0) owners.set(path, known);
  };
  const add = (list: ArtifactList, name: string, value: unknown) => {
    const path = artifactPath(list, name);
    files.set(path, jsonText(value));
    return path;
  };
  for (const topic of topics) {
    const path = artifactPath('topics', topic.name);
    files.set(path, memory.recall(topicText, topic, []));
    own(path, writers.get(topic.name));
  }
  for (const topic of virtualTopicFiles(project)) {
    own(add('virtual_topics', topic.model, topic), nodeId('model', topic.model));
  }
  for (const { model, schemas } of topicSchemas(jobs)) {
    for (const { part, format, text } of schemas) {
      const path = schemaPath(`${model}-${part}`, format);
      files.set(path, `${text}\n`);
      own(path, nodeId('model', model));
    }
  }
  const secretFiles = new Set<string>();
  for (const job of jobs.jobs.values()) {
    const script = scriptPath('jobs', job.name);
    const texts = memory.remember('files', { object: job, needs: [] }, () => ({
      script: jobScript(job),
      facts: jsonText(jobFile(job, project)),
    }));
    files.set(script, texts.script);
    if (jobs.secret) secretFiles.add(script);
    const path = artifactPath('jobs', job.name);
    files.set(path, texts.facts);
    const computed = job.models.map(({ model }) => nodeId('model', model));
    own(script, ...computed);
    own(path, ...computed);
  }
  for (const test of project.resolved.tests.values()) {
    const made = tests.tests.get(test.name);
    const needs = [made, test.target === undefined ? undefined : names.of(test.target)];
    const { text, secret } = memory.remember('files', { object: test, needs }, () => {
      const file = testFile(test, project, tests);
      return { text: jsonText(file.body), secret: file.secret };
    });
    const path = artifactPath('tests', test.name);
    files.set(path, text);
    if (secret) secretFiles.add(path);
    own(path, test.target);
    const job = made?.job;
    if (job === undefined) continue;
    const script = scriptPath('tests', test.name);
    files.set(
      script,
      memory.remember('script', { object: job, needs: [] }, () => jobScript(job)),
    );
    own(script, test.target);
    if (jobs.secret) secretFiles.add(script);
  }
  for (const { body, secret } of connectors) {
    const path = add('connectors', body.name, body);
    own(path, nodeId('model', body.name));
    if (secret) secretFiles.add(path);
  }
  return { files, secretFiles, owners };
}

function topicText(topic: TopicArtifact): string {
  return jsonText({ schema: topicFileSchema, ...topic });
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
