import type { SchemaFormat } from '@levada/stream-project-schema';
import type { EngineNeeds } from '../jobs/job.ts';

/** Marks a resource as one of this project, so that another project does not change or remove it. */
export interface OwnerMark {
  readonly project: string;
  /** Id of what the resource is for: `model:x`. Absent for topics that only tests write. */
  readonly node?: string;
}

/** A topic that the project writes. Numbers only where the project or its defaults give them. */
export interface TopicArtifact {
  readonly name: string;
  readonly owner: OwnerMark;
  /** Of its values; `debezium-json`: changes, with the row before and after. Absent where it cannot be determined. */
  readonly format?: 'json' | 'avro' | 'protobuf' | 'debezium-json';
  /** `text`: one text as it is. `none`: records have no key. */
  readonly key_format?: 'json' | 'avro' | 'text' | 'none';
  readonly partitions?: number;
  readonly replication_factor?: number;
  readonly config: Readonly<Record<string, string>>;
}

/** A schema of what a project writes: `schemas/<name>.avsc`, `.json` or `.proto`. */
export interface SchemaArtifact {
  /** `<model>-value`, `<model>-key`. */
  readonly name: string;
  readonly model: string;
  readonly part: 'value' | 'key';
  readonly topic: string;
  readonly format: SchemaFormat;
  /** Of a registry. */
  readonly subject: string;
  /** How the schema may change, by the contracts of exposures with this subject, each once. Absent where there are none. */
  readonly compatibility?: readonly string[];
  /** Path of the file, below the folder of the manifest. */
  readonly path: string;
}

/** A connector that writes topics to another system. */
export interface ConnectorArtifact {
  /** Name of the sink model. */
  readonly name: string;
  /** `sink.connector` as it is written: a word such as `jdbc-sink`, or a class. */
  readonly connector: string;
  /** Cluster of the connector runtime. Absent where the project names none. */
  readonly cluster?: string;
  readonly owner: OwnerMark;
  /** Topics that it reads. */
  readonly topics: readonly string[];
  /** `sink.config` as text, with variables as they are written. */
  readonly config: Readonly<Record<string, string>>;
}

/** A view of a topic that the gateway serves. */
export interface VirtualTopicArtifact {
  /** `virtual_topics/<model>.json` has what it shows. */
  readonly model: string;
  readonly name: string;
  /** The physical topic that the virtual topic reads. */
  readonly physical_topic: string;
  /** Absent when the project says nothing. */
  readonly compression?: string;
}

/** A job of the engine: `jobs/<name>.sql` has its statements, `jobs/<name>.json` what a deployer has to know of it. */
export interface JobArtifact {
  /** Name of its first model. */
  readonly name: string;
  /** Absent where the project names no cluster. */
  readonly cluster?: string;
  /** Topics, each once, in order of first use. */
  readonly reads: readonly string[];
  /** The models that it computes, each after those that it reads, and their topics. */
  readonly models: readonly { readonly name: string; readonly writes: string }[];
  /** The consumer group under which it reads. */
  readonly consumer_group: string;
  /** Connectors and formats of the engine that it uses, each of which needs a jar there. */
  readonly needs: EngineNeeds;
  /** As in `jobs/<name>.json`. */
  readonly state_fingerprint: string;
}

/** A test: `tests/<name>.json` has its assertions, and `tests/<name>.sql` the statements of a continuous one. */
export interface TestArtifact {
  readonly name: string;
  readonly type: string;
  /** Absent where no cluster runs it. */
  readonly cluster?: string;
  /** Topics that its statements read, each once; of other tests none. */
  readonly reads: readonly string[];
  /** The topic of violations, and those of records that fail. */
  readonly writes: readonly string[];
}

/** A variable of the project's files, which the artifacts have as it is written. */
export interface VariableArtifact {
  readonly name: string;
  /** Whether its value must not be shown. */
  readonly secret: boolean;
  /** Whether a place has no default. */
  readonly required: boolean;
  /** The first twenty places, in order of files: `{file: models/a.yml, path: model:a.sink.config.url}`. */
  readonly places: readonly { readonly file: string; readonly path: string }[];
}

/** What a project is compiled to. Each list is in order of names. */
export interface ProjectArtifacts {
  /**
   * The order in which resources are made, as `topic:x`, `schema:x`, `virtual_topic:x`, `job:x`, `connector:x` and, of continuous
   * tests, `test:x`: each after those that it needs.
   */
  readonly order: readonly string[];
  readonly variables: readonly VariableArtifact[];
  readonly topics: readonly TopicArtifact[];
  readonly schemas: readonly SchemaArtifact[];
  readonly jobs: readonly JobArtifact[];
  readonly connectors: readonly ConnectorArtifact[];
  readonly virtual_topics: readonly VirtualTopicArtifact[];
  readonly tests: readonly TestArtifact[];
}
