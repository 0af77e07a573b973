// Written by tools/kafka-messages/generate.mjs from Apache Kafka's message definitions: do not change by hand.
// The definitions, and the descriptions taken from them, are licensed to the Apache Software Foundation under the Apache License 2.0.

import type { ApiTable, MessageTable } from '../message-table.ts';

/** Versions 0 to 4 of Kafka's ApiVersionsRequest. */
export interface ApiVersionsRequest {
  /** The name of the client. Since version 3. */
  readonly clientSoftwareName?: string;
  /** The version of the client. Since version 3. */
  readonly clientSoftwareVersion?: string;
}

/** Versions 0 to 4 of Kafka's ApiVersionsResponse. */
export interface ApiVersionsResponse {
  /** The top-level error code. */
  readonly errorCode: number;
  /** The APIs supported by the broker. */
  readonly apiKeys: readonly {
    /** The API index. */
    readonly apiKey: number;
    /** The minimum supported version, inclusive. */
    readonly minVersion: number;
    /** The maximum supported version, inclusive. */
    readonly maxVersion: number;
  }[];
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota. Since version 1.
   */
  readonly throttleTimeMs: number;
  /**
   * Features supported by the broker. Note: in v0-v3, features with MinSupportedVersion = 0 are
   * omitted. Since version 3.
   */
  readonly supportedFeatures: readonly {
    /** The name of the feature. Since version 3. */
    readonly name: string;
    /** The minimum supported version for the feature. Since version 3. */
    readonly minVersion: number;
    /** The maximum supported version for the feature. Since version 3. */
    readonly maxVersion: number;
  }[];
  /**
   * The monotonically increasing epoch for the finalized features information. Valid values are >= 0.
   * A value of -1 is special and represents unknown epoch. Since version 3.
   */
  readonly finalizedFeaturesEpoch: bigint;
  /**
   * List of cluster-wide finalized features. The information is valid only if FinalizedFeaturesEpoch
   * >= 0. Since version 3.
   */
  readonly finalizedFeatures: readonly {
    /** The name of the feature. Since version 3. */
    readonly name: string;
    /** The cluster-wide finalized max version level for the feature. Since version 3. */
    readonly maxVersionLevel: number;
    /** The cluster-wide finalized min version level for the feature. Since version 3. */
    readonly minVersionLevel: number;
  }[];
  /**
   * Set by a KRaft controller if the required configurations for ZK migration are present. Since
   * version 3.
   */
  readonly zkMigrationReady: boolean;
}

/** Versions 0 to 11 of Kafka's MetadataRequest. */
export interface MetadataRequest {
  /** The topics to fetch metadata for. */
  readonly topics:
    | readonly {
        /** The topic id. Since version 10. */
        readonly topicId?: string;
        /** The topic name. */
        readonly name: string | null;
      }[]
    | null;
  /**
   * If this is true, the broker may auto-create topics that we requested which do not already exist,
   * if it is configured to do so. Since version 4. Default: true.
   */
  readonly allowAutoTopicCreation?: boolean;
  /** Whether to include cluster authorized operations. Since version 8. Until version 10. */
  readonly includeClusterAuthorizedOperations?: boolean;
  /** Whether to include topic authorized operations. Since version 8. */
  readonly includeTopicAuthorizedOperations?: boolean;
}

/** Versions 0 to 11 of Kafka's MetadataResponse. */
export interface MetadataResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota. Since version 3.
   */
  readonly throttleTimeMs: number;
  /** A list of brokers present in the cluster. */
  readonly brokers: readonly {
    /** The broker ID. */
    readonly nodeId: number;
    /** The broker hostname. */
    readonly host: string;
    /** The broker port. */
    readonly port: number;
    /** The rack of the broker, or null if it has not been assigned to a rack. Since version 1. */
    readonly rack: string | null;
  }[];
  /** The cluster ID that responding broker belongs to. Since version 2. */
  readonly clusterId: string | null;
  /** The ID of the controller broker. Since version 1. */
  readonly controllerId: number;
  /** Each topic in the response. */
  readonly topics: readonly {
    /** The topic error, or 0 if there was no error. */
    readonly errorCode: number;
    /**
     * The topic name. Null for non-existing topics queried by ID. This is never null when ErrorCode is
     * zero. One of Name and TopicId is always populated.
     */
    readonly name: string;
    /**
     * The topic id. Zero for non-existing topics queried by name. This is never zero when ErrorCode is
     * zero. One of Name and TopicId is always populated. Since version 10.
     */
    readonly topicId: string;
    /** True if the topic is internal. Since version 1. */
    readonly isInternal: boolean;
    /** Each partition in the topic. */
    readonly partitions: readonly {
      /** The partition error, or 0 if there was no error. */
      readonly errorCode: number;
      /** The partition index. */
      readonly partitionIndex: number;
      /** The ID of the leader broker. */
      readonly leaderId: number;
      /** The leader epoch of this partition. Since version 7. */
      readonly leaderEpoch: number;
      /** The set of all nodes that host this partition. */
      readonly replicaNodes: readonly number[];
      /** The set of nodes that are in sync with the leader for this partition. */
      readonly isrNodes: readonly number[];
      /** The set of offline replicas of this partition. Since version 5. */
      readonly offlineReplicas: readonly number[];
    }[];
    /** 32-bit bitfield to represent authorized operations for this topic. Since version 8. */
    readonly topicAuthorizedOperations: number;
  }[];
  /**
   * 32-bit bitfield to represent authorized operations for this cluster. Since version 8. Until
   * version 10.
   */
  readonly clusterAuthorizedOperations: number;
}

/** Versions 0 to 4 of Kafka's InitProducerIdRequest. */
export interface InitProducerIdRequest {
  /** The transactional id, or null if the producer is not transactional. */
  readonly transactionalId: string | null;
  /**
   * The time in ms to wait before aborting idle transactions sent by this producer. This is only
   * relevant if a TransactionalId has been defined.
   */
  readonly transactionTimeoutMs: number;
  /**
   * The producer id. This is used to disambiguate requests if a transactional id is reused following
   * its expiration. Since version 3. Default: -1.
   */
  readonly producerId?: bigint;
  /**
   * The producer's current epoch. This will be checked against the producer epoch on the broker, and
   * the request will return an error if they do not match. Since version 3. Default: -1.
   */
  readonly producerEpoch?: number;
}

/** Versions 0 to 4 of Kafka's InitProducerIdResponse. */
export interface InitProducerIdResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota.
   */
  readonly throttleTimeMs: number;
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
  /** The current producer id. */
  readonly producerId: bigint;
  /** The current epoch associated with the producer id. */
  readonly producerEpoch: number;
}

/** Versions 0 to 3 of Kafka's AddPartitionsToTxnRequest. */
export interface AddPartitionsToTxnRequest {
  /** The transactional id corresponding to the transaction. */
  readonly v3AndBelowTransactionalId: string;
  /** Current producer id in use by the transactional id. */
  readonly v3AndBelowProducerId: bigint;
  /** Current epoch associated with the producer id. */
  readonly v3AndBelowProducerEpoch: number;
  /** The partitions to add to the transaction. */
  readonly v3AndBelowTopics: readonly {
    /** The name of the topic. */
    readonly name: string;
    /** The partition indexes to add to the transaction. */
    readonly partitions: readonly number[];
  }[];
}

/** Versions 0 to 3 of Kafka's AddPartitionsToTxnResponse. */
export interface AddPartitionsToTxnResponse {
  /**
   * Duration in milliseconds for which the request was throttled due to a quota violation, or zero if
   * the request did not violate any quota.
   */
  readonly throttleTimeMs: number;
  /** The results for each topic. */
  readonly resultsByTopicV3AndBelow: readonly {
    /** The topic name. */
    readonly name: string;
    /** The results for each partition. */
    readonly resultsByPartition: readonly {
      /** The partition indexes. */
      readonly partitionIndex: number;
      /** The response error code. */
      readonly partitionErrorCode: number;
    }[];
  }[];
}

/** Versions 0 to 4 of Kafka's EndTxnRequest. */
export interface EndTxnRequest {
  /** The ID of the transaction to end. */
  readonly transactionalId: string;
  /** The producer ID. */
  readonly producerId: bigint;
  /** The current epoch associated with the producer. */
  readonly producerEpoch: number;
  /** True if the transaction was committed, false if it was aborted. */
  readonly committed: boolean;
}

/** Versions 0 to 4 of Kafka's EndTxnResponse. */
export interface EndTxnResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota.
   */
  readonly throttleTimeMs: number;
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
}

/** Versions 2 to 7 of Kafka's CreateTopicsRequest. */
export interface CreateTopicsRequest {
  /** The topics to create. */
  readonly topics: readonly {
    /** The topic name. */
    readonly name: string;
    /**
     * The number of partitions to create in the topic, or -1 if we are either specifying a manual
     * partition assignment or using the default partitions.
     */
    readonly numPartitions: number;
    /**
     * The number of replicas to create for each partition in the topic, or -1 if we are either
     * specifying a manual partition assignment or using the default replication factor.
     */
    readonly replicationFactor: number;
    /** The manual partition assignment, or the empty array if we are using automatic assignment. */
    readonly assignments: readonly {
      /** The partition index. */
      readonly partitionIndex: number;
      /** The brokers to place the partition on. */
      readonly brokerIds: readonly number[];
    }[];
    /** The custom topic configurations to set. */
    readonly configs: readonly {
      /** The configuration name. */
      readonly name: string;
      /** The configuration value. */
      readonly value: string | null;
    }[];
  }[];
  /** How long to wait in milliseconds before timing out the request. Default: 60000. */
  readonly timeoutMs?: number;
  /**
   * If true, check that the topics can be created as specified, but don't create anything. Default:
   * false.
   */
  readonly validateOnly?: boolean;
}

/** Versions 2 to 7 of Kafka's CreateTopicsResponse. */
export interface CreateTopicsResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota.
   */
  readonly throttleTimeMs: number;
  /** Results for each topic we tried to create. */
  readonly topics: readonly {
    /** The topic name. */
    readonly name: string;
    /** The unique topic ID. Since version 7. */
    readonly topicId: string;
    /** The error code, or 0 if there was no error. */
    readonly errorCode: number;
    /** The error message, or null if there was no error. */
    readonly errorMessage: string | null;
    /**
     * Optional topic config error returned if configs are not returned in the response. Since version 5.
     */
    readonly topicConfigErrorCode: number;
    /** Number of partitions of the topic. Since version 5. */
    readonly numPartitions: number;
    /** Replication factor of the topic. Since version 5. */
    readonly replicationFactor: number;
    /** Configuration of the topic. Since version 5. */
    readonly configs:
      | readonly {
          /** The configuration name. Since version 5. */
          readonly name: string;
          /** The configuration value. Since version 5. */
          readonly value: string | null;
          /** True if the configuration is read-only. Since version 5. */
          readonly readOnly: boolean;
          /** The configuration source. Since version 5. */
          readonly configSource: number;
          /** True if this configuration is sensitive. Since version 5. */
          readonly isSensitive: boolean;
        }[]
      | null;
  }[];
}

/** Versions 1 to 4 of Kafka's DescribeConfigsRequest. */
export interface DescribeConfigsRequest {
  /** The resources whose configurations we want to describe. */
  readonly resources: readonly {
    /** The resource type. */
    readonly resourceType: number;
    /** The resource name. */
    readonly resourceName: string;
    /** The configuration keys to list, or null to list all configuration keys. */
    readonly configurationKeys: readonly string[] | null;
  }[];
  /** True if we should include all synonyms. Default: false. */
  readonly includeSynonyms?: boolean;
  /** True if we should include configuration documentation. Since version 3. Default: false. */
  readonly includeDocumentation?: boolean;
}

/** Versions 1 to 4 of Kafka's DescribeConfigsResponse. */
export interface DescribeConfigsResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota.
   */
  readonly throttleTimeMs: number;
  /** The results for each resource. */
  readonly results: readonly {
    /** The error code, or 0 if we were able to successfully describe the configurations. */
    readonly errorCode: number;
    /** The error message, or null if we were able to successfully describe the configurations. */
    readonly errorMessage: string | null;
    /** The resource type. */
    readonly resourceType: number;
    /** The resource name. */
    readonly resourceName: string;
    /** Each listed configuration. */
    readonly configs: readonly {
      /** The configuration name. */
      readonly name: string;
      /** The configuration value. */
      readonly value: string | null;
      /** True if the configuration is read-only. */
      readonly readOnly: boolean;
      /** The configuration source. */
      readonly configSource: number;
      /** True if this configuration is sensitive. */
      readonly isSensitive: boolean;
      /** The synonyms for this configuration key. */
      readonly synonyms: readonly {
        /** The synonym name. */
        readonly name: string;
        /** The synonym value. */
        readonly value: string | null;
        /** The synonym source. */
        readonly source: number;
      }[];
      /**
       * The configuration data type. Type can be one of the following values - BOOLEAN, STRING, INT,
       * SHORT, LONG, DOUBLE, LIST, CLASS, PASSWORD. Since version 3.
       */
      readonly configType: number;
      /** The configuration documentation. Since version 3. */
      readonly documentation: string | null;
    }[];
  }[];
}

/** Versions 1 to 11 of Kafka's ListOffsetsRequest. */
export interface ListOffsetsRequest {
  /** The broker ID of the requester, or -1 if this request is being made by a normal consumer. */
  readonly replicaId: number;
  /**
   * This setting controls the visibility of transactional records. Using READ_UNCOMMITTED
   * (isolation_level = 0) makes all records visible. With READ_COMMITTED (isolation_level = 1),
   * non-transactional and COMMITTED transactional records are visible. To be more concrete,
   * READ_COMMITTED returns all data from offsets smaller than the current LSO (last stable offset),
   * and enables the inclusion of the list of aborted transactions in the result, which allows
   * consumers to discard ABORTED transactional records. Since version 2.
   */
  readonly isolationLevel?: number;
  /** Each topic in the request. */
  readonly topics: readonly {
    /** The topic name. */
    readonly name: string;
    /** Each partition in the request. */
    readonly partitions: readonly {
      /** The partition index. */
      readonly partitionIndex: number;
      /** The current leader epoch. Since version 4. Default: -1. */
      readonly currentLeaderEpoch?: number;
      /** The current timestamp. */
      readonly timestamp: bigint;
    }[];
  }[];
  /**
   * The timeout to await a response in milliseconds for requests that require reading from remote
   * storage for topics enabled with tiered storage. Since version 10.
   */
  readonly timeoutMs?: number;
}

/** Versions 1 to 11 of Kafka's ListOffsetsResponse. */
export interface ListOffsetsResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota. Since version 2.
   */
  readonly throttleTimeMs: number;
  /** Each topic in the response. */
  readonly topics: readonly {
    /** The topic name. */
    readonly name: string;
    /** Each partition in the response. */
    readonly partitions: readonly {
      /** The partition index. */
      readonly partitionIndex: number;
      /** The partition error code, or 0 if there was no error. */
      readonly errorCode: number;
      /** The timestamp associated with the returned offset. */
      readonly timestamp: bigint;
      /** The returned offset. */
      readonly offset: bigint;
      /** The leader epoch associated with the returned offset. Since version 4. */
      readonly leaderEpoch: number;
    }[];
  }[];
}

/** Versions 4 to 12 of Kafka's FetchRequest. */
export interface FetchRequest {
  /**
   * The clusterId if known. This is used to validate metadata fetches prior to broker registration.
   * Since version 12. Default: null.
   */
  readonly clusterId?: string | null;
  /** The broker ID of the follower, of -1 if this request is from a consumer. Default: -1. */
  readonly replicaId?: number;
  /** The maximum time in milliseconds to wait for the response. */
  readonly maxWaitMs: number;
  /** The minimum bytes to accumulate in the response. */
  readonly minBytes: number;
  /**
   * The maximum bytes to fetch. See KIP-74 for cases where this limit may not be honored. Default:
   * 0x7fffffff.
   */
  readonly maxBytes?: number;
  /**
   * This setting controls the visibility of transactional records. Using READ_UNCOMMITTED
   * (isolation_level = 0) makes all records visible. With READ_COMMITTED (isolation_level = 1),
   * non-transactional and COMMITTED transactional records are visible. To be more concrete,
   * READ_COMMITTED returns all data from offsets smaller than the current LSO (last stable offset),
   * and enables the inclusion of the list of aborted transactions in the result, which allows
   * consumers to discard ABORTED transactional records. Default: 0.
   */
  readonly isolationLevel?: number;
  /** The fetch session ID. Since version 7. Default: 0. */
  readonly sessionId?: number;
  /**
   * The fetch session epoch, which is used for ordering requests in a session. Since version 7.
   * Default: -1.
   */
  readonly sessionEpoch?: number;
  /** The topics to fetch. */
  readonly topics: readonly {
    /** The name of the topic to fetch. */
    readonly topic: string;
    /** The partitions to fetch. */
    readonly partitions: readonly {
      /** The partition index. */
      readonly partition: number;
      /** The current leader epoch of the partition. Since version 9. Default: -1. */
      readonly currentLeaderEpoch?: number;
      /** The message offset. */
      readonly fetchOffset: bigint;
      /** The epoch of the last fetched record or -1 if there is none. Since version 12. Default: -1. */
      readonly lastFetchedEpoch?: number;
      /**
       * The earliest available offset of the follower replica. The field is only used when the request is
       * sent by the follower. Since version 5. Default: -1.
       */
      readonly logStartOffset?: bigint;
      /**
       * The maximum bytes to fetch from this partition. See KIP-74 for cases where this limit may not be
       * honored.
       */
      readonly partitionMaxBytes: number;
    }[];
  }[];
  /** In an incremental fetch request, the partitions to remove. Since version 7. */
  readonly forgottenTopicsData?: readonly {
    /** The topic name. Since version 7. */
    readonly topic?: string;
    /** The partitions indexes to forget. Since version 7. */
    readonly partitions?: readonly number[];
  }[];
  /** Rack ID of the consumer making this request. Since version 11. */
  readonly rackId?: string;
}

/** Versions 4 to 12 of Kafka's FetchResponse. */
export interface FetchResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota.
   */
  readonly throttleTimeMs: number;
  /** The top level response error code. Since version 7. */
  readonly errorCode: number;
  /** The fetch session ID, or 0 if this is not part of a fetch session. Since version 7. */
  readonly sessionId: number;
  /** The response topics. */
  readonly responses: readonly {
    /** The topic name. */
    readonly topic: string;
    /** The topic partitions. */
    readonly partitions: readonly {
      /** The partition index. */
      readonly partitionIndex: number;
      /** The error code, or 0 if there was no fetch error. */
      readonly errorCode: number;
      /** The current high water mark. */
      readonly highWatermark: bigint;
      /**
       * The last stable offset (or LSO) of the partition. This is the last offset such that the state of
       * all transactional records prior to this offset have been decided (ABORTED or COMMITTED).
       */
      readonly lastStableOffset: bigint;
      /** The current log start offset. Since version 5. */
      readonly logStartOffset: bigint;
      /**
       * In case divergence is detected based on the `LastFetchedEpoch` and `FetchOffset` in the request,
       * this field indicates the largest epoch and its end offset such that subsequent records are known
       * to diverge. Since version 12.
       */
      readonly divergingEpoch: {
        /** The largest epoch. Since version 12. */
        readonly epoch: number;
        /** The end offset of the epoch. Since version 12. */
        readonly endOffset: bigint;
      };
      /** The current leader of the partition. Since version 12. */
      readonly currentLeader: {
        /** The ID of the current leader or -1 if the leader is unknown. Since version 12. */
        readonly leaderId: number;
        /** The latest known leader epoch. Since version 12. */
        readonly leaderEpoch: number;
      };
      /**
       * In the case of fetching an offset less than the LogStartOffset, this is the end offset and epoch
       * that should be used in the FetchSnapshot request. Since version 12.
       */
      readonly snapshotId: {
        /** The end offset of the epoch. */
        readonly endOffset: bigint;
        /** The largest epoch. */
        readonly epoch: number;
      };
      /** The aborted transactions. */
      readonly abortedTransactions:
        | readonly {
            /** The producer id associated with the aborted transaction. */
            readonly producerId: bigint;
            /** The first offset in the aborted transaction. */
            readonly firstOffset: bigint;
          }[]
        | null;
      /** The preferred read replica for the consumer to use on its next fetch request. Since version 11. */
      readonly preferredReadReplica: number;
      /** The record data. */
      readonly records: Buffer | null;
    }[];
  }[];
}

/** Versions 0 to 3 of Kafka's FindCoordinatorRequest. */
export interface FindCoordinatorRequest {
  /** The coordinator key. */
  readonly key: string;
  /** The coordinator key type. (group, transaction, share). Since version 1. Default: 0. */
  readonly keyType?: number;
}

/** Versions 0 to 3 of Kafka's FindCoordinatorResponse. */
export interface FindCoordinatorResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota. Since version 1.
   */
  readonly throttleTimeMs: number;
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
  /** The error message, or null if there was no error. Since version 1. */
  readonly errorMessage: string | null;
  /** The node id. */
  readonly nodeId: number;
  /** The host name. */
  readonly host: string;
  /** The port. */
  readonly port: number;
}

/** Versions 0 to 9 of Kafka's JoinGroupRequest. */
export interface JoinGroupRequest {
  /** The group identifier. */
  readonly groupId: string;
  /**
   * The coordinator considers the consumer dead if it receives no heartbeat after this timeout in
   * milliseconds.
   */
  readonly sessionTimeoutMs: number;
  /**
   * The maximum time in milliseconds that the coordinator will wait for each member to rejoin when
   * rebalancing the group. Since version 1. Default: -1.
   */
  readonly rebalanceTimeoutMs?: number;
  /** The member id assigned by the group coordinator. */
  readonly memberId: string;
  /**
   * The unique identifier of the consumer instance provided by end user. Since version 5. Default:
   * null.
   */
  readonly groupInstanceId?: string | null;
  /** The unique name the for class of protocols implemented by the group we want to join. */
  readonly protocolType: string;
  /** The list of protocols that the member supports. */
  readonly protocols: readonly {
    /** The protocol name. */
    readonly name: string;
    /** The protocol metadata. */
    readonly metadata: Buffer;
  }[];
  /** The reason why the member (re-)joins the group. Since version 8. Default: null. */
  readonly reason?: string | null;
}

/** Versions 0 to 9 of Kafka's JoinGroupResponse. */
export interface JoinGroupResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota. Since version 2.
   */
  readonly throttleTimeMs: number;
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
  /** The generation ID of the group. */
  readonly generationId: number;
  /** The group protocol name. Since version 7. */
  readonly protocolType: string | null;
  /** The group protocol selected by the coordinator. */
  readonly protocolName: string | null;
  /** The leader of the group. */
  readonly leader: string;
  /** True if the leader must skip running the assignment. Since version 9. */
  readonly skipAssignment: boolean;
  /** The member ID assigned by the group coordinator. */
  readonly memberId: string;
  /** The group members. */
  readonly members: readonly {
    /** The group member ID. */
    readonly memberId: string;
    /** The unique identifier of the consumer instance provided by end user. Since version 5. */
    readonly groupInstanceId: string | null;
    /** The group member metadata. */
    readonly metadata: Buffer;
  }[];
}

/** Versions 0 to 5 of Kafka's SyncGroupRequest. */
export interface SyncGroupRequest {
  /** The unique group identifier. */
  readonly groupId: string;
  /** The generation of the group. */
  readonly generationId: number;
  /** The member ID assigned by the group. */
  readonly memberId: string;
  /**
   * The unique identifier of the consumer instance provided by end user. Since version 3. Default:
   * null.
   */
  readonly groupInstanceId?: string | null;
  /** The group protocol type. Since version 5. Default: null. */
  readonly protocolType?: string | null;
  /** The group protocol name. Since version 5. Default: null. */
  readonly protocolName?: string | null;
  /** Each assignment. */
  readonly assignments: readonly {
    /** The ID of the member to assign. */
    readonly memberId: string;
    /** The member assignment. */
    readonly assignment: Buffer;
  }[];
}

/** Versions 0 to 5 of Kafka's SyncGroupResponse. */
export interface SyncGroupResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota. Since version 1.
   */
  readonly throttleTimeMs: number;
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
  /** The group protocol type. Since version 5. */
  readonly protocolType: string | null;
  /** The group protocol name. Since version 5. */
  readonly protocolName: string | null;
  /** The member assignment. */
  readonly assignment: Buffer;
}

/** Versions 0 to 4 of Kafka's HeartbeatRequest. */
export interface HeartbeatRequest {
  /** The group id. */
  readonly groupId: string;
  /** The generation of the group. */
  readonly generationId: number;
  /** The member ID. */
  readonly memberId: string;
  /**
   * The unique identifier of the consumer instance provided by end user. Since version 3. Default:
   * null.
   */
  readonly groupInstanceId?: string | null;
}

/** Versions 0 to 4 of Kafka's HeartbeatResponse. */
export interface HeartbeatResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota. Since version 1.
   */
  readonly throttleTimeMs: number;
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
}

/** Versions 0 to 2 of Kafka's LeaveGroupRequest. */
export interface LeaveGroupRequest {
  /** The ID of the group to leave. */
  readonly groupId: string;
  /** The member ID to remove from the group. */
  readonly memberId: string;
}

/** Versions 0 to 2 of Kafka's LeaveGroupResponse. */
export interface LeaveGroupResponse {
  /**
   * The duration in milliseconds for which the request was throttled due to a quota violation, or zero
   * if the request did not violate any quota. Since version 1.
   */
  readonly throttleTimeMs: number;
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
}

/** Versions 0 to 1 of Kafka's SaslHandshakeRequest. */
export interface SaslHandshakeRequest {
  /** The SASL mechanism chosen by the client. */
  readonly mechanism: string;
}

/** Versions 0 to 1 of Kafka's SaslHandshakeResponse. */
export interface SaslHandshakeResponse {
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
  /** The mechanisms enabled in the server. */
  readonly mechanisms: readonly string[];
}

/** Versions 0 to 2 of Kafka's SaslAuthenticateRequest. */
export interface SaslAuthenticateRequest {
  /** The SASL authentication bytes from the client, as defined by the SASL mechanism. */
  readonly authBytes: Buffer;
}

/** Versions 0 to 2 of Kafka's SaslAuthenticateResponse. */
export interface SaslAuthenticateResponse {
  /** The error code, or 0 if there was no error. */
  readonly errorCode: number;
  /** The error message, or null if there was no error. */
  readonly errorMessage: string | null;
  /** The SASL authentication bytes from the server, as defined by the SASL mechanism. */
  readonly authBytes: Buffer;
  /**
   * Number of milliseconds after which only re-authentication over the existing connection to create a
   * new session can occur. Since version 1.
   */
  readonly sessionLifetimeMs: bigint;
}

/** Arguments and answer of each request. */
export interface KafkaCalls {
  readonly ApiVersions: { readonly args: ApiVersionsRequest; readonly answer: ApiVersionsResponse };
  readonly Metadata: { readonly args: MetadataRequest; readonly answer: MetadataResponse };
  readonly InitProducerId: { readonly args: InitProducerIdRequest; readonly answer: InitProducerIdResponse };
  readonly AddPartitionsToTxn: {
    readonly args: AddPartitionsToTxnRequest;
    readonly answer: AddPartitionsToTxnResponse;
  };
  readonly EndTxn: { readonly args: EndTxnRequest; readonly answer: EndTxnResponse };
  readonly CreateTopics: { readonly args: CreateTopicsRequest; readonly answer: CreateTopicsResponse };
  readonly DescribeConfigs: {
    readonly args: DescribeConfigsRequest;
    readonly answer: DescribeConfigsResponse;
  };
  readonly ListOffsets: { readonly args: ListOffsetsRequest; readonly answer: ListOffsetsResponse };
  readonly Fetch: { readonly args: FetchRequest; readonly answer: FetchResponse };
  readonly FindCoordinator: {
    readonly args: FindCoordinatorRequest;
    readonly answer: FindCoordinatorResponse;
  };
  readonly JoinGroup: { readonly args: JoinGroupRequest; readonly answer: JoinGroupResponse };
  readonly SyncGroup: { readonly args: SyncGroupRequest; readonly answer: SyncGroupResponse };
  readonly Heartbeat: { readonly args: HeartbeatRequest; readonly answer: HeartbeatResponse };
  readonly LeaveGroup: { readonly args: LeaveGroupRequest; readonly answer: LeaveGroupResponse };
  readonly SaslHandshake: { readonly args: SaslHandshakeRequest; readonly answer: SaslHandshakeResponse };
  readonly SaslAuthenticate: {
    readonly args: SaslAuthenticateRequest;
    readonly answer: SaslAuthenticateResponse;
  };
}

/** The first bytes of a request after its length. */
export const requestHeader: MessageTable = {
  name: 'RequestHeader',
  versions: [1, 2],
  flexible: 2,
  fields: [
    { name: 'requestApiKey', type: 'int16' },
    { name: 'requestApiVersion', type: 'int16' },
    { name: 'correlationId', type: 'int32' },
    { name: 'clientId', type: 'string', versions: [1], nullable: [1], flexible: false },
  ],
};

/** The first bytes of a response after its length. */
export const responseHeader: MessageTable = {
  name: 'ResponseHeader',
  versions: [0, 1],
  flexible: 1,
  fields: [{ name: 'correlationId', type: 'int32' }],
};

/** Requests and responses in all versions that are defined. */
export const kafkaApis: { readonly [Name in keyof KafkaCalls]: ApiTable } = {
  ApiVersions: {
    key: 18,
    newest: 4,
    request: {
      name: 'ApiVersionsRequest',
      versions: [0, 4],
      flexible: 3,
      fields: [
        { name: 'clientSoftwareName', type: 'string', versions: [3], ignorable: true },
        { name: 'clientSoftwareVersion', type: 'string', versions: [3], ignorable: true },
      ],
    },
    response: {
      name: 'ApiVersionsResponse',
      versions: [0, 4],
      flexible: 3,
      fields: [
        { name: 'errorCode', type: 'int16' },
        {
          name: 'apiKeys',
          type: 'struct',
          list: true,
          fields: [
            { name: 'apiKey', type: 'int16' },
            { name: 'minVersion', type: 'int16' },
            { name: 'maxVersion', type: 'int16' },
          ],
        },
        { name: 'throttleTimeMs', type: 'int32', versions: [1], ignorable: true },
        {
          name: 'supportedFeatures',
          type: 'struct',
          list: true,
          versions: [3],
          tagged: [3],
          tag: 0,
          ignorable: true,
          fields: [
            { name: 'name', type: 'string', versions: [3] },
            { name: 'minVersion', type: 'int16', versions: [3] },
            { name: 'maxVersion', type: 'int16', versions: [3] },
          ],
        },
        {
          name: 'finalizedFeaturesEpoch',
          type: 'int64',
          versions: [3],
          tagged: [3],
          tag: 1,
          ignorable: true,
          default: -1n,
        },
        {
          name: 'finalizedFeatures',
          type: 'struct',
          list: true,
          versions: [3],
          tagged: [3],
          tag: 2,
          ignorable: true,
          fields: [
            { name: 'name', type: 'string', versions: [3] },
            { name: 'maxVersionLevel', type: 'int16', versions: [3] },
            { name: 'minVersionLevel', type: 'int16', versions: [3] },
          ],
        },
        { name: 'zkMigrationReady', type: 'bool', versions: [3], tagged: [3], tag: 3, ignorable: true },
      ],
    },
  },
  Metadata: {
    key: 3,
    newest: 11,
    request: {
      name: 'MetadataRequest',
      versions: [0, 13],
      flexible: 9,
      fields: [
        {
          name: 'topics',
          type: 'struct',
          list: true,
          nullable: [1],
          fields: [
            { name: 'topicId', type: 'uuid', versions: [10], ignorable: true },
            { name: 'name', type: 'string', nullable: [10] },
          ],
        },
        { name: 'allowAutoTopicCreation', type: 'bool', versions: [4], default: true },
        { name: 'includeClusterAuthorizedOperations', type: 'bool', versions: [8, 10] },
        { name: 'includeTopicAuthorizedOperations', type: 'bool', versions: [8] },
      ],
    },
    response: {
      name: 'MetadataResponse',
      versions: [0, 13],
      flexible: 9,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [3], ignorable: true },
        {
          name: 'brokers',
          type: 'struct',
          list: true,
          fields: [
            { name: 'nodeId', type: 'int32' },
            { name: 'host', type: 'string' },
            { name: 'port', type: 'int32' },
            { name: 'rack', type: 'string', versions: [1], nullable: [1], ignorable: true, default: null },
          ],
        },
        { name: 'clusterId', type: 'string', versions: [2], nullable: [2], ignorable: true, default: null },
        { name: 'controllerId', type: 'int32', versions: [1], ignorable: true, default: -1 },
        {
          name: 'topics',
          type: 'struct',
          list: true,
          fields: [
            { name: 'errorCode', type: 'int16' },
            { name: 'name', type: 'string', nullable: [12] },
            { name: 'topicId', type: 'uuid', versions: [10], ignorable: true },
            { name: 'isInternal', type: 'bool', versions: [1], ignorable: true },
            {
              name: 'partitions',
              type: 'struct',
              list: true,
              fields: [
                { name: 'errorCode', type: 'int16' },
                { name: 'partitionIndex', type: 'int32' },
                { name: 'leaderId', type: 'int32' },
                { name: 'leaderEpoch', type: 'int32', versions: [7], ignorable: true, default: -1 },
                { name: 'replicaNodes', type: 'int32', list: true },
                { name: 'isrNodes', type: 'int32', list: true },
                { name: 'offlineReplicas', type: 'int32', list: true, versions: [5], ignorable: true },
              ],
            },
            { name: 'topicAuthorizedOperations', type: 'int32', versions: [8], default: -2147483648 },
          ],
        },
        { name: 'clusterAuthorizedOperations', type: 'int32', versions: [8, 10], default: -2147483648 },
        { name: 'errorCode', type: 'int16', versions: [13], ignorable: true },
      ],
    },
  },
  InitProducerId: {
    key: 22,
    newest: 4,
    request: {
      name: 'InitProducerIdRequest',
      versions: [0, 6],
      flexible: 2,
      fields: [
        { name: 'transactionalId', type: 'string', nullable: [0] },
        { name: 'transactionTimeoutMs', type: 'int32' },
        { name: 'producerId', type: 'int64', versions: [3], default: -1n },
        { name: 'producerEpoch', type: 'int16', versions: [3], default: -1 },
        { name: 'enable2Pc', type: 'bool', versions: [6] },
        { name: 'keepPreparedTxn', type: 'bool', versions: [6] },
      ],
    },
    response: {
      name: 'InitProducerIdResponse',
      versions: [0, 6],
      flexible: 2,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', ignorable: true },
        { name: 'errorCode', type: 'int16' },
        { name: 'producerId', type: 'int64', default: -1n },
        { name: 'producerEpoch', type: 'int16' },
        { name: 'ongoingTxnProducerId', type: 'int64', versions: [6], default: -1n },
        { name: 'ongoingTxnProducerEpoch', type: 'int16', versions: [6], default: -1 },
      ],
    },
  },
  AddPartitionsToTxn: {
    key: 24,
    newest: 3,
    request: {
      name: 'AddPartitionsToTxnRequest',
      versions: [0, 5],
      flexible: 3,
      fields: [
        {
          name: 'transactions',
          type: 'struct',
          list: true,
          versions: [4],
          fields: [
            { name: 'transactionalId', type: 'string', versions: [4] },
            { name: 'producerId', type: 'int64', versions: [4] },
            { name: 'producerEpoch', type: 'int16', versions: [4] },
            { name: 'verifyOnly', type: 'bool', versions: [4] },
            {
              name: 'topics',
              type: 'struct',
              list: true,
              versions: [4],
              fields: [
                { name: 'name', type: 'string' },
                { name: 'partitions', type: 'int32', list: true },
              ],
            },
          ],
        },
        { name: 'v3AndBelowTransactionalId', type: 'string', versions: [0, 3] },
        { name: 'v3AndBelowProducerId', type: 'int64', versions: [0, 3] },
        { name: 'v3AndBelowProducerEpoch', type: 'int16', versions: [0, 3] },
        {
          name: 'v3AndBelowTopics',
          type: 'struct',
          list: true,
          versions: [0, 3],
          fields: [
            { name: 'name', type: 'string' },
            { name: 'partitions', type: 'int32', list: true },
          ],
        },
      ],
    },
    response: {
      name: 'AddPartitionsToTxnResponse',
      versions: [0, 5],
      flexible: 3,
      fields: [
        { name: 'throttleTimeMs', type: 'int32' },
        { name: 'errorCode', type: 'int16', versions: [4], ignorable: true },
        {
          name: 'resultsByTransaction',
          type: 'struct',
          list: true,
          versions: [4],
          fields: [
            { name: 'transactionalId', type: 'string', versions: [4] },
            {
              name: 'topicResults',
              type: 'struct',
              list: true,
              versions: [4],
              fields: [
                { name: 'name', type: 'string' },
                {
                  name: 'resultsByPartition',
                  type: 'struct',
                  list: true,
                  fields: [
                    { name: 'partitionIndex', type: 'int32' },
                    { name: 'partitionErrorCode', type: 'int16' },
                  ],
                },
              ],
            },
          ],
        },
        {
          name: 'resultsByTopicV3AndBelow',
          type: 'struct',
          list: true,
          versions: [0, 3],
          fields: [
            { name: 'name', type: 'string' },
            {
              name: 'resultsByPartition',
              type: 'struct',
              list: true,
              fields: [
                { name: 'partitionIndex', type: 'int32' },
                { name: 'partitionErrorCode', type: 'int16' },
              ],
            },
          ],
        },
      ],
    },
  },
  EndTxn: {
    key: 26,
    newest: 4,
    request: {
      name: 'EndTxnRequest',
      versions: [0, 5],
      flexible: 3,
      fields: [
        { name: 'transactionalId', type: 'string' },
        { name: 'producerId', type: 'int64' },
        { name: 'producerEpoch', type: 'int16' },
        { name: 'committed', type: 'bool' },
      ],
    },
    response: {
      name: 'EndTxnResponse',
      versions: [0, 5],
      flexible: 3,
      fields: [
        { name: 'throttleTimeMs', type: 'int32' },
        { name: 'errorCode', type: 'int16' },
        { name: 'producerId', type: 'int64', versions: [5], ignorable: true, default: -1n },
        { name: 'producerEpoch', type: 'int16', versions: [5], ignorable: true, default: -1 },
      ],
    },
  },
  CreateTopics: {
    key: 19,
    newest: 7,
    request: {
      name: 'CreateTopicsRequest',
      versions: [2, 7],
      flexible: 5,
      fields: [
        {
          name: 'topics',
          type: 'struct',
          list: true,
          fields: [
            { name: 'name', type: 'string' },
            { name: 'numPartitions', type: 'int32' },
            { name: 'replicationFactor', type: 'int16' },
            {
              name: 'assignments',
              type: 'struct',
              list: true,
              fields: [
                { name: 'partitionIndex', type: 'int32' },
                { name: 'brokerIds', type: 'int32', list: true },
              ],
            },
            {
              name: 'configs',
              type: 'struct',
              list: true,
              fields: [
                { name: 'name', type: 'string' },
                { name: 'value', type: 'string', nullable: [0] },
              ],
            },
          ],
        },
        { name: 'timeoutMs', type: 'int32', default: 60000 },
        { name: 'validateOnly', type: 'bool', versions: [1] },
      ],
    },
    response: {
      name: 'CreateTopicsResponse',
      versions: [2, 7],
      flexible: 5,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [2], ignorable: true },
        {
          name: 'topics',
          type: 'struct',
          list: true,
          fields: [
            { name: 'name', type: 'string' },
            { name: 'topicId', type: 'uuid', versions: [7], ignorable: true },
            { name: 'errorCode', type: 'int16' },
            { name: 'errorMessage', type: 'string', versions: [1], nullable: [0], ignorable: true },
            {
              name: 'topicConfigErrorCode',
              type: 'int16',
              versions: [5],
              tagged: [5],
              tag: 0,
              ignorable: true,
            },
            { name: 'numPartitions', type: 'int32', versions: [5], ignorable: true, default: -1 },
            { name: 'replicationFactor', type: 'int16', versions: [5], ignorable: true, default: -1 },
            {
              name: 'configs',
              type: 'struct',
              list: true,
              versions: [5],
              nullable: [5],
              ignorable: true,
              fields: [
                { name: 'name', type: 'string', versions: [5] },
                { name: 'value', type: 'string', versions: [5], nullable: [5] },
                { name: 'readOnly', type: 'bool', versions: [5] },
                { name: 'configSource', type: 'int8', versions: [5], ignorable: true, default: -1 },
                { name: 'isSensitive', type: 'bool', versions: [5] },
              ],
            },
          ],
        },
      ],
    },
  },
  DescribeConfigs: {
    key: 32,
    newest: 4,
    request: {
      name: 'DescribeConfigsRequest',
      versions: [1, 4],
      flexible: 4,
      fields: [
        {
          name: 'resources',
          type: 'struct',
          list: true,
          fields: [
            { name: 'resourceType', type: 'int8' },
            { name: 'resourceName', type: 'string' },
            { name: 'configurationKeys', type: 'string', list: true, nullable: [0] },
          ],
        },
        { name: 'includeSynonyms', type: 'bool', versions: [1] },
        { name: 'includeDocumentation', type: 'bool', versions: [3] },
      ],
    },
    response: {
      name: 'DescribeConfigsResponse',
      versions: [1, 4],
      flexible: 4,
      fields: [
        { name: 'throttleTimeMs', type: 'int32' },
        {
          name: 'results',
          type: 'struct',
          list: true,
          fields: [
            { name: 'errorCode', type: 'int16' },
            { name: 'errorMessage', type: 'string', nullable: [0] },
            { name: 'resourceType', type: 'int8' },
            { name: 'resourceName', type: 'string' },
            {
              name: 'configs',
              type: 'struct',
              list: true,
              fields: [
                { name: 'name', type: 'string' },
                { name: 'value', type: 'string', nullable: [0] },
                { name: 'readOnly', type: 'bool' },
                { name: 'configSource', type: 'int8', versions: [1], ignorable: true, default: -1 },
                { name: 'isSensitive', type: 'bool' },
                {
                  name: 'synonyms',
                  type: 'struct',
                  list: true,
                  versions: [1],
                  ignorable: true,
                  fields: [
                    { name: 'name', type: 'string', versions: [1] },
                    { name: 'value', type: 'string', versions: [1], nullable: [0] },
                    { name: 'source', type: 'int8', versions: [1] },
                  ],
                },
                { name: 'configType', type: 'int8', versions: [3], ignorable: true },
                { name: 'documentation', type: 'string', versions: [3], nullable: [0], ignorable: true },
              ],
            },
          ],
        },
      ],
    },
  },
  ListOffsets: {
    key: 2,
    newest: 11,
    request: {
      name: 'ListOffsetsRequest',
      versions: [1, 11],
      flexible: 6,
      fields: [
        { name: 'replicaId', type: 'int32' },
        { name: 'isolationLevel', type: 'int8', versions: [2] },
        {
          name: 'topics',
          type: 'struct',
          list: true,
          fields: [
            { name: 'name', type: 'string' },
            {
              name: 'partitions',
              type: 'struct',
              list: true,
              fields: [
                { name: 'partitionIndex', type: 'int32' },
                { name: 'currentLeaderEpoch', type: 'int32', versions: [4], ignorable: true, default: -1 },
                { name: 'timestamp', type: 'int64' },
              ],
            },
          ],
        },
        { name: 'timeoutMs', type: 'int32', versions: [10], ignorable: true },
      ],
    },
    response: {
      name: 'ListOffsetsResponse',
      versions: [1, 11],
      flexible: 6,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [2], ignorable: true },
        {
          name: 'topics',
          type: 'struct',
          list: true,
          fields: [
            { name: 'name', type: 'string' },
            {
              name: 'partitions',
              type: 'struct',
              list: true,
              fields: [
                { name: 'partitionIndex', type: 'int32' },
                { name: 'errorCode', type: 'int16' },
                { name: 'timestamp', type: 'int64', versions: [1], default: -1n },
                { name: 'offset', type: 'int64', versions: [1], default: -1n },
                { name: 'leaderEpoch', type: 'int32', versions: [4], default: -1 },
              ],
            },
          ],
        },
      ],
    },
  },
  Fetch: {
    key: 1,
    newest: 12,
    request: {
      name: 'FetchRequest',
      versions: [4, 18],
      flexible: 12,
      fields: [
        {
          name: 'clusterId',
          type: 'string',
          versions: [12],
          nullable: [12],
          tagged: [12],
          tag: 0,
          ignorable: true,
          default: null,
        },
        { name: 'replicaId', type: 'int32', versions: [0, 14], default: -1 },
        {
          name: 'replicaState',
          type: 'struct',
          versions: [15],
          tagged: [15],
          tag: 1,
          fields: [
            { name: 'replicaId', type: 'int32', versions: [15], default: -1 },
            { name: 'replicaEpoch', type: 'int64', versions: [15], default: -1n },
          ],
        },
        { name: 'maxWaitMs', type: 'int32' },
        { name: 'minBytes', type: 'int32' },
        { name: 'maxBytes', type: 'int32', versions: [3], ignorable: true, default: 2147483647 },
        { name: 'isolationLevel', type: 'int8', versions: [4], ignorable: true },
        { name: 'sessionId', type: 'int32', versions: [7], ignorable: true },
        { name: 'sessionEpoch', type: 'int32', versions: [7], ignorable: true, default: -1 },
        {
          name: 'topics',
          type: 'struct',
          list: true,
          fields: [
            { name: 'topic', type: 'string', versions: [0, 12], ignorable: true },
            { name: 'topicId', type: 'uuid', versions: [13], ignorable: true },
            {
              name: 'partitions',
              type: 'struct',
              list: true,
              fields: [
                { name: 'partition', type: 'int32' },
                { name: 'currentLeaderEpoch', type: 'int32', versions: [9], ignorable: true, default: -1 },
                { name: 'fetchOffset', type: 'int64' },
                { name: 'lastFetchedEpoch', type: 'int32', versions: [12], default: -1 },
                { name: 'logStartOffset', type: 'int64', versions: [5], ignorable: true, default: -1n },
                { name: 'partitionMaxBytes', type: 'int32' },
                {
                  name: 'replicaDirectoryId',
                  type: 'uuid',
                  versions: [17],
                  tagged: [17],
                  tag: 0,
                  ignorable: true,
                },
                {
                  name: 'highWatermark',
                  type: 'int64',
                  versions: [18],
                  tagged: [18],
                  tag: 1,
                  ignorable: true,
                  default: 9223372036854775807n,
                },
              ],
            },
          ],
        },
        {
          name: 'forgottenTopicsData',
          type: 'struct',
          list: true,
          versions: [7],
          fields: [
            { name: 'topic', type: 'string', versions: [7, 12], ignorable: true },
            { name: 'topicId', type: 'uuid', versions: [13], ignorable: true },
            { name: 'partitions', type: 'int32', list: true, versions: [7] },
          ],
        },
        { name: 'rackId', type: 'string', versions: [11], ignorable: true },
      ],
    },
    response: {
      name: 'FetchResponse',
      versions: [4, 18],
      flexible: 12,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [1], ignorable: true },
        { name: 'errorCode', type: 'int16', versions: [7], ignorable: true },
        { name: 'sessionId', type: 'int32', versions: [7] },
        {
          name: 'responses',
          type: 'struct',
          list: true,
          fields: [
            { name: 'topic', type: 'string', versions: [0, 12], ignorable: true },
            { name: 'topicId', type: 'uuid', versions: [13], ignorable: true },
            {
              name: 'partitions',
              type: 'struct',
              list: true,
              fields: [
                { name: 'partitionIndex', type: 'int32' },
                { name: 'errorCode', type: 'int16' },
                { name: 'highWatermark', type: 'int64' },
                { name: 'lastStableOffset', type: 'int64', versions: [4], ignorable: true, default: -1n },
                { name: 'logStartOffset', type: 'int64', versions: [5], ignorable: true, default: -1n },
                {
                  name: 'divergingEpoch',
                  type: 'struct',
                  versions: [12],
                  tagged: [12],
                  tag: 0,
                  fields: [
                    { name: 'epoch', type: 'int32', versions: [12], default: -1 },
                    { name: 'endOffset', type: 'int64', versions: [12], default: -1n },
                  ],
                },
                {
                  name: 'currentLeader',
                  type: 'struct',
                  versions: [12],
                  tagged: [12],
                  tag: 1,
                  fields: [
                    { name: 'leaderId', type: 'int32', versions: [12], default: -1 },
                    { name: 'leaderEpoch', type: 'int32', versions: [12], default: -1 },
                  ],
                },
                {
                  name: 'snapshotId',
                  type: 'struct',
                  versions: [12],
                  tagged: [12],
                  tag: 2,
                  fields: [
                    { name: 'endOffset', type: 'int64', default: -1n },
                    { name: 'epoch', type: 'int32', default: -1 },
                  ],
                },
                {
                  name: 'abortedTransactions',
                  type: 'struct',
                  list: true,
                  versions: [4],
                  nullable: [4],
                  ignorable: true,
                  fields: [
                    { name: 'producerId', type: 'int64', versions: [4] },
                    { name: 'firstOffset', type: 'int64', versions: [4] },
                  ],
                },
                { name: 'preferredReadReplica', type: 'int32', versions: [11], default: -1 },
                { name: 'records', type: 'records', nullable: [0] },
              ],
            },
          ],
        },
        {
          name: 'nodeEndpoints',
          type: 'struct',
          list: true,
          versions: [16],
          tagged: [16],
          tag: 0,
          fields: [
            { name: 'nodeId', type: 'int32', versions: [16] },
            { name: 'host', type: 'string', versions: [16] },
            { name: 'port', type: 'int32', versions: [16] },
            { name: 'rack', type: 'string', versions: [16], nullable: [16], default: null },
          ],
        },
      ],
    },
  },
  FindCoordinator: {
    key: 10,
    newest: 3,
    request: {
      name: 'FindCoordinatorRequest',
      versions: [0, 6],
      flexible: 3,
      fields: [
        { name: 'key', type: 'string', versions: [0, 3] },
        { name: 'keyType', type: 'int8', versions: [1] },
        { name: 'coordinatorKeys', type: 'string', list: true, versions: [4] },
      ],
    },
    response: {
      name: 'FindCoordinatorResponse',
      versions: [0, 6],
      flexible: 3,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [1], ignorable: true },
        { name: 'errorCode', type: 'int16', versions: [0, 3] },
        { name: 'errorMessage', type: 'string', versions: [1, 3], nullable: [1, 3], ignorable: true },
        { name: 'nodeId', type: 'int32', versions: [0, 3] },
        { name: 'host', type: 'string', versions: [0, 3] },
        { name: 'port', type: 'int32', versions: [0, 3] },
        {
          name: 'coordinators',
          type: 'struct',
          list: true,
          versions: [4],
          fields: [
            { name: 'key', type: 'string', versions: [4] },
            { name: 'nodeId', type: 'int32', versions: [4] },
            { name: 'host', type: 'string', versions: [4] },
            { name: 'port', type: 'int32', versions: [4] },
            { name: 'errorCode', type: 'int16', versions: [4] },
            { name: 'errorMessage', type: 'string', versions: [4], nullable: [4], ignorable: true },
          ],
        },
      ],
    },
  },
  JoinGroup: {
    key: 11,
    newest: 9,
    request: {
      name: 'JoinGroupRequest',
      versions: [0, 9],
      flexible: 6,
      fields: [
        { name: 'groupId', type: 'string' },
        { name: 'sessionTimeoutMs', type: 'int32' },
        { name: 'rebalanceTimeoutMs', type: 'int32', versions: [1], ignorable: true, default: -1 },
        { name: 'memberId', type: 'string' },
        { name: 'groupInstanceId', type: 'string', versions: [5], nullable: [5], default: null },
        { name: 'protocolType', type: 'string' },
        {
          name: 'protocols',
          type: 'struct',
          list: true,
          fields: [
            { name: 'name', type: 'string' },
            { name: 'metadata', type: 'bytes' },
          ],
        },
        { name: 'reason', type: 'string', versions: [8], nullable: [8], ignorable: true, default: null },
      ],
    },
    response: {
      name: 'JoinGroupResponse',
      versions: [0, 9],
      flexible: 6,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [2], ignorable: true },
        { name: 'errorCode', type: 'int16' },
        { name: 'generationId', type: 'int32', default: -1 },
        {
          name: 'protocolType',
          type: 'string',
          versions: [7],
          nullable: [7],
          ignorable: true,
          default: null,
        },
        { name: 'protocolName', type: 'string', nullable: [7] },
        { name: 'leader', type: 'string' },
        { name: 'skipAssignment', type: 'bool', versions: [9] },
        { name: 'memberId', type: 'string' },
        {
          name: 'members',
          type: 'struct',
          list: true,
          fields: [
            { name: 'memberId', type: 'string' },
            {
              name: 'groupInstanceId',
              type: 'string',
              versions: [5],
              nullable: [5],
              ignorable: true,
              default: null,
            },
            { name: 'metadata', type: 'bytes' },
          ],
        },
      ],
    },
  },
  SyncGroup: {
    key: 14,
    newest: 5,
    request: {
      name: 'SyncGroupRequest',
      versions: [0, 5],
      flexible: 4,
      fields: [
        { name: 'groupId', type: 'string' },
        { name: 'generationId', type: 'int32' },
        { name: 'memberId', type: 'string' },
        { name: 'groupInstanceId', type: 'string', versions: [3], nullable: [3], default: null },
        {
          name: 'protocolType',
          type: 'string',
          versions: [5],
          nullable: [5],
          ignorable: true,
          default: null,
        },
        {
          name: 'protocolName',
          type: 'string',
          versions: [5],
          nullable: [5],
          ignorable: true,
          default: null,
        },
        {
          name: 'assignments',
          type: 'struct',
          list: true,
          fields: [
            { name: 'memberId', type: 'string' },
            { name: 'assignment', type: 'bytes' },
          ],
        },
      ],
    },
    response: {
      name: 'SyncGroupResponse',
      versions: [0, 5],
      flexible: 4,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [1], ignorable: true },
        { name: 'errorCode', type: 'int16' },
        {
          name: 'protocolType',
          type: 'string',
          versions: [5],
          nullable: [5],
          ignorable: true,
          default: null,
        },
        {
          name: 'protocolName',
          type: 'string',
          versions: [5],
          nullable: [5],
          ignorable: true,
          default: null,
        },
        { name: 'assignment', type: 'bytes' },
      ],
    },
  },
  Heartbeat: {
    key: 12,
    newest: 4,
    request: {
      name: 'HeartbeatRequest',
      versions: [0, 4],
      flexible: 4,
      fields: [
        { name: 'groupId', type: 'string' },
        { name: 'generationId', type: 'int32' },
        { name: 'memberId', type: 'string' },
        { name: 'groupInstanceId', type: 'string', versions: [3], nullable: [3], default: null },
      ],
    },
    response: {
      name: 'HeartbeatResponse',
      versions: [0, 4],
      flexible: 4,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [1], ignorable: true },
        { name: 'errorCode', type: 'int16' },
      ],
    },
  },
  LeaveGroup: {
    key: 13,
    newest: 2,
    request: {
      name: 'LeaveGroupRequest',
      versions: [0, 5],
      flexible: 4,
      fields: [
        { name: 'groupId', type: 'string' },
        { name: 'memberId', type: 'string', versions: [0, 2] },
        {
          name: 'members',
          type: 'struct',
          list: true,
          versions: [3],
          fields: [
            { name: 'memberId', type: 'string', versions: [3] },
            { name: 'groupInstanceId', type: 'string', versions: [3], nullable: [3], default: null },
            { name: 'reason', type: 'string', versions: [5], nullable: [5], ignorable: true, default: null },
          ],
        },
      ],
    },
    response: {
      name: 'LeaveGroupResponse',
      versions: [0, 5],
      flexible: 4,
      fields: [
        { name: 'throttleTimeMs', type: 'int32', versions: [1], ignorable: true },
        { name: 'errorCode', type: 'int16' },
        {
          name: 'members',
          type: 'struct',
          list: true,
          versions: [3],
          fields: [
            { name: 'memberId', type: 'string', versions: [3] },
            { name: 'groupInstanceId', type: 'string', versions: [3], nullable: [3] },
            { name: 'errorCode', type: 'int16', versions: [3] },
          ],
        },
      ],
    },
  },
  SaslHandshake: {
    key: 17,
    newest: 1,
    request: {
      name: 'SaslHandshakeRequest',
      versions: [0, 1],
      fields: [{ name: 'mechanism', type: 'string' }],
    },
    response: {
      name: 'SaslHandshakeResponse',
      versions: [0, 1],
      fields: [
        { name: 'errorCode', type: 'int16' },
        { name: 'mechanisms', type: 'string', list: true },
      ],
    },
  },
  SaslAuthenticate: {
    key: 36,
    newest: 2,
    request: {
      name: 'SaslAuthenticateRequest',
      versions: [0, 2],
      flexible: 2,
      fields: [{ name: 'authBytes', type: 'bytes' }],
    },
    response: {
      name: 'SaslAuthenticateResponse',
      versions: [0, 2],
      flexible: 2,
      fields: [
        { name: 'errorCode', type: 'int16' },
        { name: 'errorMessage', type: 'string', nullable: [0] },
        { name: 'authBytes', type: 'bytes' },
        { name: 'sessionLifetimeMs', type: 'int64', versions: [1], ignorable: true },
      ],
    },
  },
};
