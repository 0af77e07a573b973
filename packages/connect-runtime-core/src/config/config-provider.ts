/** Looks up the values that `${provider:path:key}` references stand for. Corresponds to Kafka's `ConfigProvider`. */
export interface ConfigProvider {
  /**
   * Values of the named keys at a path (empty for providers without paths). A key without a value is left out; then the
   * reference stays as it is written. Rejects with a `file_unreadable` ConnectorError, which names path and keys but
   * no content.
   */
  get(path: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A provider as worker configurations name it. */
export interface ConfigProviderPlugin {
  /** Kafka's class name, for example `org.apache.kafka.common.config.provider.FileConfigProvider`. */
  readonly className: string;
  /** Short names that are accepted in its place, for example `file`. */
  readonly aliases?: readonly string[];
  /** Builds one from its `param.*` keys, prefix removed. Throws `config_invalid`, with the parameters as keys of its issues. */
  create(params: Readonly<Record<string, string>>): ConfigProvider;
  /** What is allowed with these parameters and hardly meant, for people. Default: nothing. */
  warnings?(params: Readonly<Record<string, string>>): readonly string[];
}
