import type { ConfigIssue, ConfigValue, RawConfig } from '@levada/connect-runtime-core';
import type { GrpcConfig } from './config.ts';

/** Rules over several keys; files are not looked at. Empty when all is well. */
export function configProblems(_config: GrpcConfig): readonly ConfigIssue[] {
  return [];
}

/** What validation says of the keys one by one, with the findings of {@link configProblems} added. */
export function checkedValues(_raw: RawConfig, values: readonly ConfigValue[]): readonly ConfigValue[] {
  return values;
}
