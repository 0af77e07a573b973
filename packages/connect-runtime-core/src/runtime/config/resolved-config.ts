import type { RawConfig } from '../../config/config-key.ts';
import type { TransformedConfig } from '../../config/config-transformer.ts';
import type { ConfigIssue } from '../../diagnostics/connector-error.ts';

/** A configuration with the values that its references stand for. Lives as long as the task that uses it. */
export interface ResolvedConfig {
  readonly config: RawConfig;
  /** Takes the revealed values, and literal secrets, out of a text. */
  readonly scrub: (text: string) => string;
  /** References whose provider failed; their text stays as it is written. */
  readonly issues: readonly ConfigIssue[];
  /** References that their provider has no value for; they stay as they are written, as in Connect. */
  readonly unresolved: TransformedConfig['unresolved'];
}

/** Resolves the references of a configuration with the worker's providers. Never rejects. */
export type ResolveConfig = (raw: RawConfig) => Promise<ResolvedConfig>;
