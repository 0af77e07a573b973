import type { ConfigKey } from './config-key.ts';
import { printConfigValue } from './config-types.ts';
import { hiddenText } from './secret.ts';

/** A key as Kafka Connect's REST interface describes it; field order as in Connect 3.9. */
export interface ConfigKeyInfo {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default_value: string | null;
  readonly importance: string;
  readonly documentation: string;
  readonly group: string | null;
  readonly width: string;
  readonly display_name: string;
  readonly dependents: readonly string[];
  readonly order: number;
}

/** Describes one row in the terms of Kafka Connect. */
export function describeKey(row: ConfigKey): ConfigKeyInfo {
  const secret = row.type === 'password' || row.secret === true;
  const text = printConfigValue(row.default ?? null, row.type);
  return {
    name: row.name,
    type: row.type.toUpperCase(),
    required: row.default === undefined,
    default_value: secret && text !== null ? hiddenText : text,
    importance: row.importance.toUpperCase(),
    documentation: row.documentation,
    group: row.group ?? null,
    width: (row.width ?? 'none').toUpperCase(),
    display_name: row.displayName ?? row.name,
    dependents: row.dependents ?? [],
    order: row.order ?? -1,
  };
}
