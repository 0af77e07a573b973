import type { MemoryEntry } from '../project-support/memory-file-system.ts';
import { projectFile } from '../project-support/run-project.ts';

/** A project that makes a finding, and how people see it. */
export interface CodeFixture {
  readonly files: Readonly<Record<string, MemoryEntry>>;
  /** What text output holds; lines of the file and carets included. */
  readonly shows: string;
}

/** A project whose models are these lines. */
export function models(...lines: readonly string[]): Readonly<Record<string, MemoryEntry>> {
  return { 'stream_project.yml': projectFile, 'models/m.yml': ['models:', ...lines, ''].join('\n') };
}

/** A project with one file in `models/`. */
export function fragment(text: string): Readonly<Record<string, MemoryEntry>> {
  return { 'stream_project.yml': projectFile, 'models/m.yml': text };
}

/** A project with a file of variables. */
export function environment(text: string): Readonly<Record<string, MemoryEntry>> {
  return { 'stream_project.yml': projectFile, '.env': text };
}
