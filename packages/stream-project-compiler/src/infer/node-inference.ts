import type { Changes } from '../changelog/changes.ts';
import type { QueryColumns } from '../columns/nodes/model-columns.ts';
import type { EventTime, NodeColumns } from '../columns/nodes/node-columns.ts';
import type { Relation } from '../columns/relations/relation.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Rewrite } from '../errata/found-errata.ts';
import type { Definition } from '../parse/definition.ts';
import type { ModelSql } from '../resolve/model-sql.ts';
import type { EngineDialect } from '../types/functions/engine-dialect.ts';
import { sameDialect } from './engine-dialect.ts';
import type { JobPlace } from './job-end.ts';

/** How the rows of a node change. */
export interface NodeChanges {
  /** As its query gives them, by the positions of its columns. */
  readonly query: Changes;
  /** As those see them that read its topic, where changed rows are found by one key. */
  readonly topic: Changes;
  /** As those models see them that read its rows within its job. */
  readonly within: Changes;
  /** A function in rows that change, such as `CURRENT_TIMESTAMP`, whose value is another one each time. */
  readonly varying?: string;
  /** What a job writes in place of parts of its SQL, so that defects of the engine do not make its rows wrong. */
  readonly rewrites?: readonly Rewrite[];
}

/** What was inferred for one source or model, and from what. It holds as long as that is the same. */
export interface NodeInference {
  readonly definition: Definition<'source'> | Definition<'model'>;
  readonly sql: ModelSql | undefined;
  /** Of a model: the dialect of the engine on which it runs. */
  readonly dialect: EngineDialect | undefined;
  /** One for each input, in order; undefined for unknown ones. */
  readonly inputs: readonly (NodeInference | undefined)[];
  /** What its SQL gives of the inputs as these are inferred, before masks. */
  readonly selected?: QueryColumns | undefined;
  readonly columns: NodeColumns;
  readonly eventTime: EventTime | undefined;
  /** The node as the queries see it that read it. */
  readonly relation: Relation;
  /** How its rows change; undefined where its SQL cannot be read. */
  readonly changes: NodeChanges | undefined;
  /** Of a model that becomes a job, or part of one. */
  readonly job?: JobPlace | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** It was not looked at, for a reason that other nodes give. */
  readonly skipped?: true;
}

/** Whether an earlier inference holds for a node with this definition, SQL and inputs. */
export function stillHolds(
  earlier: NodeInference | undefined,
  now: Pick<NodeInference, 'definition' | 'sql' | 'inputs' | 'dialect'> & {
    readonly cluster: string | undefined;
  },
): earlier is NodeInference {
  if (earlier === undefined || earlier.skipped === true) return false;
  if (earlier.definition !== now.definition || earlier.sql !== now.sql) return false;
  if (!sameDialect(earlier.dialect, now.dialect) || earlier.job?.cluster !== now.cluster) return false;
  return (
    earlier.inputs.length === now.inputs.length &&
    earlier.inputs.every((input, index) => sameFor(input, now.inputs[index]))
  );
}

/** Whether two inferences of a node are equal for its readers. Its own places may differ. */
function sameFor(one: NodeInference | undefined, other: NodeInference | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  if (JSON.stringify(readBy(one)) !== JSON.stringify(readBy(other))) return false;
  if (one.relation === other.relation && one.eventTime === other.eventTime) return true;
  if (one.relation.open !== undefined || other.relation.open !== undefined) return false;
  if (one.relation.undeclared !== other.relation.undeclared) return false;
  if (one.relation.key.join('\0') !== other.relation.key.join('\0')) return false;
  return (
    JSON.stringify(one.eventTime) === JSON.stringify(other.eventTime) &&
    JSON.stringify(one.relation.columns) === JSON.stringify(other.relation.columns)
  );
}

/** What of a node its readers depend on beside its columns. */
function readBy({ changes, job }: NodeInference): readonly unknown[] {
  return [changes?.topic, changes?.within, job];
}
