/** What a user wants of a connector. Stored in the config topic; never mixed with what is observed, `RunState`. */
export type TargetState = 'STARTED' | 'PAUSED' | 'STOPPED';
