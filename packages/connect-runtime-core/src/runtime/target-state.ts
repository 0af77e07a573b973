/** What a user wants of a connector. Stored in the config topic; never mixed with {@link TaskState}, which is observed. */
export type TargetState = 'STARTED' | 'PAUSED' | 'STOPPED';
