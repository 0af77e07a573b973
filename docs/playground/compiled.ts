import type { TextRange } from '@levada/stream-project-compiler';

/** What the page shows of a compiled project. */
export interface Compiled {
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  readonly nodes: readonly LineageNode[];
  readonly edges: readonly LineageEdge[];
  /** Path and text of each file that `levada project compile` would write; none of a project with errors. */
  readonly files: readonly (readonly [path: string, text: string])[];
}

export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly hint?: string;
  readonly start: TextRange['start'];
  readonly end: TextRange['end'];
}

export interface LineageNode {
  readonly id: string;
  readonly name: string;
  /** What it is, or where a model runs. */
  readonly kind: string;
}

export interface LineageEdge {
  readonly from: string;
  readonly to: string;
}
