/** What is observed of a connector or task. Kafka Connect's words; clients know no others. */
export type RunState = 'UNASSIGNED' | 'RUNNING' | 'PAUSED' | 'FAILED' | 'RESTARTING' | 'STOPPED';

/** Observed state of a connector or of one task, as the status topic stores it. */
export interface Status {
  readonly state: RunState;
  /** `<advertised host>:<port>` of the worker that observed it. */
  readonly workerId: string;
  readonly generation: number;
  /** Of a FAILED one: several lines, the first `<class>: <message>`. */
  readonly trace?: string;
  /** Of a RUNNING task that has nothing more to read. Not part of Connect's record, whose readers pass over it. */
  readonly complete?: true;
}

/** Status of one task. */
export interface TaskStatus extends Status {
  readonly id: number;
}

/** Status of a connector with its tasks, sorted by id. */
export interface ConnectorStatus {
  readonly name: string;
  readonly connector: Status;
  readonly tasks: readonly TaskStatus[];
  readonly type: ConnectorType;
}

/** What kind a connector is; `unknown` when its class is not installed. */
export type ConnectorType = 'source' | 'sink' | 'unknown';

/** What a user wants of a connector. Stored in the config topic; never mixed with what is observed, `RunState`. */
export type TargetState = 'STARTED' | 'PAUSED' | 'STOPPED';
