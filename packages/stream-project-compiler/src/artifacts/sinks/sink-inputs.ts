import { sinkConnectorClasses, type TableSinkKeys, tableSinkKeys } from '@levada/stream-project-schema';
import type { InferredProject } from '../../infer/infer-project.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { type TopicFormat, topicFormat } from './topic-format.ts';

/** The formats of the topics that a sink reads, each once; undefined where one of them is not known. */
export function inputFormats(
  project: InferredProject,
  { inputs }: ResolvedModel,
): readonly TopicFormat[] | undefined {
  const targets = new Set(inputs.map(({ target }) => target));
  const formats = [...targets].map((target) =>
    target === undefined ? undefined : topicFormat(project, target),
  );
  const known = formats.filter((format) => format !== undefined);
  return known.length === formats.length ? known : undefined;
}

/** What a connector expects of records. */
export interface SinkNeeds {
  /** See `withoutSchema` of {@link sinkConnectorClasses}. */
  readonly withoutSchema: 'never' | Readonly<Record<string, string>> | undefined;
  /** Absent for a connector that does not write rows of tables, or of which the keys are not known. */
  readonly table: TableSinkKeys | undefined;
}

/** By the word or the class of `sink.connector`, and the class that it stands for. */
export function sinkNeeds(connector: string, className: string): SinkNeeds {
  const rows = Object.entries(sinkConnectorClasses);
  const row = rows.find(([word, known]) => word === connector || known.className === className)?.[1];
  const table = Object.hasOwn(tableSinkKeys, className) ? tableSinkKeys[className] : undefined;
  const never = row?.withoutSchema === 'never' || table !== undefined;
  // Keys of configuration are those of the class of the table
  const keys = row?.className === className ? row.withoutSchema : undefined;
  return { withoutSchema: never ? 'never' : keys, table };
}

/** The fact that all formats have in common; undefined where they differ, and where there is none. */
export function shared<T>(
  formats: readonly TopicFormat[],
  factOf: (format: TopicFormat) => T,
): T | undefined {
  const [first, ...others] = formats.map(factOf);
  return others.every((other) => other === first) ? first : undefined;
}

/** Whether rows are updated and deleted under keys. Without keys changes are records like any other. */
export function isChanging({ rows, key }: TopicFormat): boolean {
  return rows !== 'append' && key !== 'none';
}
