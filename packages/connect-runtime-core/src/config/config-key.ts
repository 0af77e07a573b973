import type { OptionForm } from './option-forms.ts';
import type { Secret } from './secret.ts';
import type { Validator } from './validators.ts';

/** Kafka Connect's configuration types, lower case. */
export type ConfigType =
  | 'boolean'
  | 'string'
  | 'int'
  | 'short'
  | 'long'
  | 'double'
  | 'list'
  | 'class'
  | 'password';

/** Configuration as it arrives: text to text. Null is kept, and is an error wherever it reaches a definition. */
export type RawConfig = Readonly<Record<string, string | null>>;

/**
 * What a change of the key needs while the connector runs: a new task (`restart`, the default), a new connection of the
 * same task (`reconnect`), or nothing, it holds for what comes next (`live`).
 */
export type UpdateMode = 'restart' | 'reconnect' | 'live';

/** Another key that has to have a value: any but an empty one, 0 and false, or a certain one. */
export interface KeyNeed {
  readonly key: string;
  /** The value that it has to have, or what is to be found in it. */
  readonly value?: string | RegExp;
  /** Says what is to be found: `wss://`. */
  readonly wanted?: string;
}

/** One row of a {@link ConfigDef}. Corresponds to Kafka's `ConfigDef.ConfigKey`. */
export interface ConfigKey {
  /** Dotted lower case. Of a prefix key: the prefix, with its final dot. */
  readonly name: string;
  readonly type: ConfigType;
  /** Value when the key is absent. No default: the key is required. Null: optional without a value. */
  readonly default?: string | number | boolean | null | readonly string[];
  /** Value in library use when the key is absent, where it differs from `default`, which a worker uses. */
  readonly libraryDefault?: string | number | boolean;
  readonly importance: 'high' | 'medium' | 'low';
  /** One or more sentences, for people. */
  readonly documentation: string;
  readonly validator?: Validator;
  /** False: blanks, newlines and control characters around the text belong to it. Default: they are removed, as Kafka Connect does. */
  readonly trim?: boolean;
  readonly group?: string;
  /** Place in the group. */
  readonly order?: number;
  readonly width?: 'none' | 'short' | 'medium' | 'long';
  readonly displayName?: string;
  /** Keys whose meaning hangs on this one. */
  readonly dependents?: readonly string[];
  /**
   * What this key has no effect without. In library use an option is refused that is given without it; a worker ignores such a key, as
   * Kafka Connect does. Default: nothing.
   */
  readonly needs?: KeyNeed;
  /** Values to offer, given the rest of the configuration. */
  readonly recommend?: (raw: RawConfig) => readonly string[];
  /** False: the key has no effect, given the rest of the configuration. Default: visible. */
  readonly visible?: (raw: RawConfig) => boolean;
  /** Masked wherever it is shown. Passwords always are. */
  readonly secret?: boolean;
  readonly update?: UpdateMode;
  /** Other names that are accepted and never answered. */
  readonly aliases?: readonly string[];
  /**
   * One row for every key that begins with `name`; the parsed value is a map from the rest of the name. Where the name holds
   * `<n>`: for every key with a number from 1 to 999 in its place; the parsed value is a map from the number.
   */
  readonly prefix?: boolean;
  /**
   * Name in the options object of library use. `a.b` is the member b of the object a, and `a[].b` that of each object in the list
   * a: the key of the first has the number 1. Keys without one cannot be set there.
   */
  readonly option?: string;
  /** For people who set the option, where `documentation` speaks of the text that REST takes. */
  readonly optionDocumentation?: string;
  /** Values that library use takes in addition to the type's own. */
  readonly accepts?: readonly OptionForm[];
  /** True: library use also takes a function that gives the value, and calls it before each connection. */
  readonly perConnection?: boolean;
  /** A value of the option as TypeScript, for the documentation that editors show. */
  readonly example?: string;
}

/** The type of a parsed value, per config type. */
interface ParsedTypes {
  boolean: boolean;
  string: string;
  int: number;
  short: number;
  long: number;
  double: number;
  list: readonly string[];
  class: string;
  password: Secret;
}

type Base<K extends ConfigKey> = K extends { readonly prefix: true }
  ? ReadonlyMap<string, ParsedTypes[K['type']]>
  : K extends { readonly default: null }
    ? ParsedTypes[K['type']] | null
    : ParsedTypes[K['type']];

/** The typed configuration of a list of rows: key to parsed value. */
export type ParsedConfig<Rows extends readonly ConfigKey[]> = {
  readonly [K in Rows[number] as K['name']]: Base<K>;
};

/** The type of an option in library use, per config type. */
interface OptionTypes {
  boolean: boolean;
  string: string;
  int: number;
  short: number;
  long: number;
  double: number;
  list: readonly string[];
  class: string;
  password: string;
}

type FixedValue<K extends ConfigKey> = K extends { readonly option: `${string}[].${string}` }
  ? OptionTypes[K['type']]
  : K extends { readonly prefix: true }
    ? Readonly<Record<string, string>>
    : OptionTypes[K['type']];

/** The value, or what gives it before each connection. */
type OptionValue<K extends ConfigKey> =
  | FixedValue<K>
  | (K extends { readonly perConnection: true } ? () => FixedValue<K> | Promise<FixedValue<K>> : never);

type Named<Rows extends readonly ConfigKey[]> = Extract<Rows[number], { readonly option: string }>;

/** Rows whose options are members of the object G. */
type Members<Rows extends readonly ConfigKey[], G extends string> = Extract<
  Rows[number],
  { readonly option: `${G}.${string}` }
>;

/** The objects that group options; those in a list with brackets after the name. */
type GroupName<Rows extends readonly ConfigKey[]> = Named<Rows>['option'] extends infer O
  ? O extends `${infer G}.${string}`
    ? G
    : never
  : never;

type MemberName<O extends string> = O extends `${string}.${infer M}` ? M : never;

/** The name of the option when it may be left out: the key has a default, or stands for any number of keys. */
type OptionalName<K extends { readonly option: string }> = K extends
  | { readonly default: unknown }
  | { readonly prefix: true }
  ? K['option']
  : never;
type RequiredName<K extends { readonly option: string }> = Exclude<
  K['option'],
  OptionalName<K> | `${string}.${string}`
>;
type SingleName<K extends { readonly option: string }, G extends string> = Exclude<
  OptionalName<K>,
  G | `${string}.${string}`
>;

/**
 * The options object of library use, from the same rows: camelCase names, natural types, required ones required. Members of
 * groups may be left out.
 */
export type ConfigOptions<Rows extends readonly ConfigKey[]> = {
  readonly [K in Named<Rows> as RequiredName<K>]: OptionValue<K>;
} & {
  readonly [K in Named<Rows> as SingleName<K, GroupName<Rows>>]?: OptionValue<K> | undefined;
} & {
  readonly [G in GroupName<Rows> as G extends `${infer L}[]` ? L : never]?:
    | readonly { readonly [K in Members<Rows, G> as MemberName<K['option']>]?: OptionValue<K> | undefined }[]
    | undefined;
} & {
  readonly [G in GroupName<Rows> as G extends `${string}[]` ? never : G]?:
    | OptionValue<Extract<Named<Rows>, { readonly option: G }>>
    | { readonly [K in Members<Rows, G> as MemberName<K['option']>]?: OptionValue<K> | undefined }
    | undefined;
};
