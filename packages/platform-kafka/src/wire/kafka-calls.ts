/** A partition in the answer to Metadata. */
export interface PartitionMetadata {
  readonly partitionErrorCode: number;
  readonly partitionId: number;
  /** Node id; -1: none at the moment. */
  readonly leader: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
}

/** A topic in the answer to Metadata. */
export interface TopicMetadata {
  readonly topicErrorCode: number;
  readonly topic: string;
  readonly isInternal: boolean;
  readonly partitionMetadata: readonly PartitionMetadata[];
}

/** The answer to Metadata. */
export interface ClusterMetadata {
  readonly brokers: readonly { readonly nodeId: number; readonly host: string; readonly port: number }[];
  readonly clusterId: string | null;
  readonly controllerId: number;
  readonly topicMetadata: readonly TopicMetadata[];
}

/** A record in the answer to Fetch. */
export interface FetchedRecord {
  /** 64-bit number as text. */
  readonly offset: string;
  /** Milliseconds since 1970, as text. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly isControlRecord?: boolean;
}

/** A partition in the answer to Fetch. */
export interface FetchedPartition {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: string;
  readonly messages: readonly FetchedRecord[];
}

/** Whose transaction a request concerns. */
interface TransactionArgs {
  readonly transactionalId: string;
  /** 64-bit number as text. */
  readonly producerId: string;
  readonly producerEpoch: number;
}

/**
 * The requests that are made by name, with kafkajs's names for arguments and answers. Error codes inside answers are the
 * caller's business. Add a row for each further request.
 */
export interface KafkaCalls {
  readonly Metadata: {
    readonly args: { readonly topics: readonly string[]; readonly allowAutoTopicCreation: boolean };
    readonly answer: ClusterMetadata;
  };
  readonly InitProducerId: {
    readonly args: { readonly transactionalId: string | null; readonly transactionTimeout: number };
    readonly answer: {
      readonly errorCode: number;
      readonly producerId: string;
      readonly producerEpoch: number;
    };
  };
  readonly AddPartitionsToTxn: {
    readonly args: TransactionArgs & {
      readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
    };
    readonly answer: {
      readonly errors: readonly {
        readonly topic: string;
        readonly partitionErrors: readonly { readonly partition: number; readonly errorCode: number }[];
      }[];
    };
  };
  readonly EndTxn: {
    /** True: commit. */
    readonly args: TransactionArgs & { readonly transactionResult: boolean };
    readonly answer: { readonly errorCode: number };
  };
  readonly CreateTopics: {
    readonly args: {
      readonly topics: readonly {
        readonly topic: string;
        /** -1: the cluster's default. */
        readonly numPartitions: number;
        /** -1: the cluster's default. */
        readonly replicationFactor: number;
        readonly configEntries: readonly { readonly name: string; readonly value: string }[];
      }[];
      readonly timeout: number;
      readonly validateOnly: boolean;
    };
    readonly answer: {
      readonly topicErrors: readonly {
        readonly topic: string;
        readonly errorCode: number;
        readonly errorMessage: string | null;
      }[];
    };
  };
  readonly DescribeConfigs: {
    readonly args: {
      /** Type 2: a topic. */
      readonly resources: readonly {
        readonly type: 2;
        readonly name: string;
        readonly configNames: readonly string[];
      }[];
      readonly includeSynonyms: boolean;
    };
    readonly answer: {
      readonly resources: readonly {
        readonly errorCode: number;
        readonly errorMessage: string | null;
        readonly resourceName: string;
        readonly configEntries: readonly {
          readonly configName: string;
          readonly configValue: string | null;
        }[];
      }[];
    };
  };
  readonly ListOffsets: {
    readonly args: {
      readonly replicaId: -1;
      readonly isolationLevel: 0 | 1;
      readonly topics: readonly {
        readonly topic: string;
        /** Timestamp -1: the end; -2: the beginning. */
        readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[];
      }[];
    };
    readonly answer: {
      readonly responses: readonly {
        readonly topic: string;
        readonly partitions: readonly {
          readonly partition: number;
          readonly errorCode: number;
          readonly offset: string;
        }[];
      }[];
    };
  };
  readonly Fetch: {
    readonly args: {
      readonly replicaId: -1;
      readonly maxWaitTime: number;
      readonly minBytes: number;
      readonly maxBytes: number;
      readonly isolationLevel: 0 | 1;
      readonly topics: readonly {
        readonly topic: string;
        readonly partitions: readonly {
          readonly partition: number;
          readonly fetchOffset: string;
          readonly maxBytes: number;
        }[];
      }[];
    };
    readonly answer: {
      readonly errorCode: number;
      readonly responses: readonly {
        readonly topicName: string;
        readonly partitions: readonly FetchedPartition[];
      }[];
    };
  };
  readonly GroupCoordinator: {
    /** Type 1: `groupId` is a transactional id. Default: a group. */
    readonly args: { readonly groupId: string; readonly coordinatorType?: 0 | 1 };
    readonly answer: { readonly errorCode: number; readonly coordinator: { readonly nodeId: number } };
  };
  readonly DescribeGroups: {
    readonly args: { readonly groupIds: readonly string[] };
    readonly answer: {
      readonly groups: readonly {
        readonly errorCode: number;
        readonly state: string;
        /** Empty for a group without members. */
        readonly protocolType: string;
        readonly members: readonly {
          readonly memberId: string;
          readonly clientId: string;
          /** Java's form of an address: `/127.0.0.1`. */
          readonly clientHost: string;
          /** Empty while the group is rebalancing. */
          readonly memberMetadata: Buffer;
        }[];
      }[];
    };
  };
  readonly JoinGroup: {
    readonly args: {
      readonly groupId: string;
      readonly sessionTimeout: number;
      readonly rebalanceTimeout: number;
      /** Empty: the coordinator gives one. */
      readonly memberId: string;
      readonly protocolType: string;
      readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
    };
    readonly answer: {
      readonly errorCode: number;
      readonly generationId: number;
      readonly groupProtocol: string;
      readonly leaderId: string;
      readonly memberId: string;
      /** Empty for followers. */
      readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
    };
  };
  readonly SyncGroup: {
    readonly args: {
      readonly groupId: string;
      readonly generationId: number;
      readonly memberId: string;
      /** Made by the leader; empty from all others. */
      readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
    };
    readonly answer: { readonly errorCode: number; readonly memberAssignment: Buffer };
  };
  readonly Heartbeat: {
    readonly args: {
      readonly groupId: string;
      readonly groupGenerationId: number;
      readonly memberId: string;
    };
    readonly answer: { readonly errorCode: number };
  };
  readonly LeaveGroup: {
    readonly args: { readonly groupId: string; readonly memberId: string };
    readonly answer: {
      readonly errorCode: number;
      /** Since version 3. */
      readonly members?: readonly { readonly memberId: string; readonly errorCode: number }[];
    };
  };
}
