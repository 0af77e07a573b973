/** A topic that the project writes. Numbers only where the project or its defaults give them. */
export interface TopicArtifact {
  readonly name: string;
  readonly partitions?: number;
  readonly replication_factor?: number;
  readonly config: Readonly<Record<string, string>>;
}

/** A connector that writes topics to another system. */
export interface ConnectorArtifact {
  /** Name of the sink model. */
  readonly name: string;
  /** `sink.connector` as it is written: a word such as `jdbc-sink`, or a class. */
  readonly connector: string;
  /** Topics that it reads. */
  readonly topics: readonly string[];
  /** `sink.config` as text, with variables as they are written. */
  readonly config: Readonly<Record<string, string>>;
}

/** A view of a topic that the gateway serves. */
export interface VirtualTopicArtifact {
  readonly name: string;
  /** The physical topic that the virtual topic reads. */
  readonly physical_topic: string;
  /** Absent when the project says nothing. */
  readonly compression?: string;
}

/** What is known of a project's artifacts before any SQL is generated. Each list is in order of names. */
export interface ProjectArtifacts {
  readonly topics: readonly TopicArtifact[];
  readonly connectors: readonly ConnectorArtifact[];
  readonly virtual_topics: readonly VirtualTopicArtifact[];
}
