import type { ProjectManifest } from './artifacts/manifest.ts';
import { noFiles, type OutputFiles, outputFiles } from './artifacts/output-files.ts';
import { projectManifest } from './artifacts/project-manifest.ts';
import { type Diagnostic, isValid, type StageResult } from './diagnostics/diagnostic.ts';
import { type InferredProject, inferProject } from './infer/infer-project.ts';
import type { LoadedProject } from './load/load-project.ts';
import { parseProject } from './parse/parse-project.ts';
import { type SeverityPolicy, settleDiagnostics } from './report/settle.ts';
import { createObjectMemory, type ObjectMemory } from './resolve/object-memory.ts';
import { resolveProject } from './resolve/resolve-project.ts';
import { runRules } from './validate/run-rules.ts';

/** Options of {@link checkProject}. */
export interface CheckProjectOptions {
  /** The day that sunset dates are compared with, `2026-11-21`. Default: today in UTC. */
  readonly today?: string;
  /** Severities by code or name. */
  readonly policy?: SeverityPolicy;
  /** What an earlier call gave for the same folder: only what changed since is looked at again. */
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
  /** What rules keep for a call that builds on this one. */
  readonly memory: ObjectMemory;
}

/**
 * Checks a loaded project: form, names, graph, SQL, kinds, columns and rules, everything in one run, and no consequences of
 * earlier mistakes. Touches nothing outside of what was loaded.
 */
export function checkProject(
  loaded: StageResult<LoadedProject>,
  { today = todayInUtc(), policy = {}, previous }: CheckProjectOptions = {},
): ProjectReport {
  const before = previous?.project.resolved;
  const parsed = parseProject(loaded.value, before === undefined ? {} : { previous: before.parsed });
  const resolved = resolveProject(parsed.value, before === undefined ? {} : { previous: before });
  const inferred = inferProject(resolved.value, previous === undefined ? {} : { previous: previous.project });
  const memory = previous?.memory ?? createObjectMemory();
  const found = runRules({ project: inferred.value, today, memory });
  const { suppressions } = parsed.value;
  const all = [loaded, parsed, resolved, inferred].flatMap((stage) => stage.diagnostics);
  const diagnostics = settleDiagnostics([...all, ...found], { suppressions, policy });
  return { valid: isValid(diagnostics), diagnostics, loaded: loaded.value, project: inferred.value, memory };
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
  const report = checkProject(loaded, options);
  if (!report.valid) return { ...report, manifest: undefined, ...noFiles };
  const manifest = projectManifest(report.project);
  return { ...report, manifest, ...outputFiles(report.project, manifest, connectorClasses) };
}
