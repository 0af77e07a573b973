import type { ProjectArtifacts } from './artifacts/artifact.ts';
import {
  type ArtifactList,
  artifactPath,
  manifestPath,
  schemaPath,
  scriptPath,
} from './artifacts/artifact-paths.ts';
import { connectorFiles } from './artifacts/connector-file.ts';
import { jobFile, jobScript } from './artifacts/job-file.ts';
import { type ManifestFile, type ProjectManifest, topicFileSchema } from './artifacts/manifest.ts';
import { projectArtifacts } from './artifacts/project-artifacts.ts';
import { projectManifest } from './artifacts/project-manifest.ts';
import { sha256 } from './artifacts/sha256.ts';
import { testFile } from './artifacts/test-file.ts';
import { virtualTopicFiles } from './artifacts/virtual-topic-file.ts';
import { type Diagnostic, isValid, type StageResult } from './diagnostics/diagnostic.ts';
import { type InferredProject, inferProject } from './infer/infer-project.ts';
import { type ProjectJobs, projectJobs, topicSchemas } from './jobs/project-jobs.ts';
import { reportJobs } from './jobs/report-jobs.ts';
import type { LoadedProject } from './load/load-project.ts';
import { parseProject } from './parse/parse-project.ts';
import { type SeverityPolicy, settleDiagnostics } from './report/settle.ts';
import { createObjectMemory, type ObjectMemory } from './resolve/object-memory.ts';
import { resolveProject } from './resolve/resolve-project.ts';
import { type ProjectTests, projectTests } from './test-jobs/project-tests.ts';
import { reportTests } from './test-jobs/report-tests.ts';
import { runRules } from './validate/run-rules.ts';

/** Options of {@link checkProject}. */
export interface CheckProjectOptions {
  /** The day that sunset dates are compared with, `2026-11-21`. Default: today in UTC. */
  readonly today?: string;
  /** Severities by code or name. */
  readonly policy?: SeverityPolicy;
  /** The result of an earlier call for the same folder: only changes since then are checked again. */
  readonly previous?: ProjectReport;
}

/** A project, and everything that is to be said about it. */
export interface ProjectReport {
  /** Whether nothing is an error. */
  readonly valid: boolean;
  /** Of all stages, in order of their places. */
  readonly diagnostics: readonly Diagnostic[];
  readonly loaded: LoadedProject;
  readonly project: InferredProject;
  /** Results of rules, kept for a call that builds on this one. */
  readonly memory: ObjectMemory;
}

/**
 * Checks a loaded project: form, names, graph, SQL, kinds, columns and rules, everything in one run, and no consequences of
 * earlier mistakes. Touches nothing outside of what was loaded.
 */
export function checkProject(
  loaded: StageResult<LoadedProject>,
  options: CheckProjectOptions = {},
): ProjectReport {
  return settled(findAll(loaded, options), options);
}

/** What all stages find, before comments and policies apply. */
type Findings = Omit<ProjectReport, 'valid'>;

function findAll(
  loaded: StageResult<LoadedProject>,
  { today = todayInUtc(), previous }: CheckProjectOptions,
): Findings {
  const before = previous?.project.resolved;
  const parsed = parseProject(loaded.value, before === undefined ? {} : { previous: before.parsed });
  const resolved = resolveProject(parsed.value, before === undefined ? {} : { previous: before });
  const inferred = inferProject(resolved.value, previous === undefined ? {} : { previous: previous.project });
  const memory = previous?.memory ?? createObjectMemory();
  const found = runRules({ project: inferred.value, today, memory });
  const all = [loaded, parsed, resolved, inferred].flatMap((stage) => stage.diagnostics);
  return { diagnostics: [...all, ...found], loaded: loaded.value, project: inferred.value, memory };
}

function settled(found: Findings, { policy = {} }: CheckProjectOptions): ProjectReport {
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
  const found = findAll(loaded, options);
  const { project } = found;
  const checked = settled(found, options);
  if (!checked.valid) return { ...checked, manifest: undefined, ...noFiles };
  const jobs = projectJobs(project);
  const tests = projectTests(project, jobs);
  const diagnostics = [...found.diagnostics, ...reportJobs(project, jobs), ...reportTests(project, tests)];
  const report = settled({ ...found, diagnostics }, options);
  if (!report.valid) return { ...report, manifest: undefined, ...noFiles };
  const artifacts = projectArtifacts(project, jobs, tests);
  const { files, secretFiles } = artifactFiles(project, artifacts, { connectorClasses, jobs, tests });
  const manifest = projectManifest(project, artifacts, hashedFiles({ files, secretFiles }));
  files.set(manifestPath, jsonText(manifest));
  return { ...report, manifest, files, secretFiles };
}

interface OutputFiles {
  /** Text by path: `manifest.json`, `topics/<name>.json`, `schemas/<model>-value.avsc`, `.json` or `.proto`, `jobs/<model>.sql`, `jobs/<model>.json`, `connectors/<name>.json`, `virtual_topics/<model>.json`, `tests/<name>.sql`, `tests/<name>.json`. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of the project's own files that contain secrets; only their owner should be able to read them. */
  readonly secretFiles: ReadonlySet<string>;
}

/** Nothing to write. */
const noFiles: OutputFiles = { files: new Map(), secretFiles: new Set() };

interface OutputFacts {
  /** Those that the caller gives words of `sink.connector`. */
  readonly connectorClasses: Readonly<Record<string, string>>;
  readonly jobs: ProjectJobs;
  readonly tests: ProjectTests;
}

/** Files by their paths, and their hashes unless they hold secrets. */
function hashedFiles({ files, secretFiles }: OutputFiles): readonly ManifestFile[] {
  const paths = [...files.keys()].sort();
  return paths.map((path) => ({
    path,
    ...(secretFiles.has(path) ? {} : { sha256: sha256(files.get(path) ?? '') }),
  }));
}

/** Makes the files of the artifacts; the same project always gives the same bytes. */
function artifactFiles(
  project: InferredProject,
  { topics }: ProjectArtifacts,
  { connectorClasses, jobs, tests }: OutputFacts,
): { readonly files: Map<string, string>; readonly secretFiles: ReadonlySet<string> } {
  const connectors = connectorFiles(project, connectorClasses);
  const files = new Map<string, string>();
  const add = (list: ArtifactList, name: string, value: unknown) => {
    const path = artifactPath(list, name);
    files.set(path, jsonText(value));
    return path;
  };
  for (const topic of topics) add('topics', topic.name, { schema: topicFileSchema, ...topic });
  for (const topic of virtualTopicFiles(project)) add('virtual_topics', topic.model, topic);
  for (const { model, schemas } of topicSchemas(jobs)) {
    for (const { part, format, text } of schemas)
      files.set(schemaPath(`${model}-${part}`, format), `${text}\n`);
  }
  const secretFiles = new Set<string>();
  for (const job of jobs.jobs.values()) {
    const script = scriptPath('jobs', job.model);
    files.set(script, jobScript(job));
    if (jobs.secret) secretFiles.add(script);
    add('jobs', job.model, jobFile(job, project));
  }
  for (const test of project.resolved.tests.values()) {
    const { body, secret } = testFile(test, project, tests);
    const path = add('tests', test.name, body);
    if (secret) secretFiles.add(path);
    const job = tests.tests.get(test.name)?.job;
    if (job === undefined) continue;
    const script = scriptPath('tests', test.name);
    files.set(script, jobScript(job));
    if (jobs.secret) secretFiles.add(script);
  }
  for (const { body, secret } of connectors) {
    const path = add('connectors', body.name, body);
    if (secret) secretFiles.add(path);
  }
  return { files, secretFiles };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
