/**
 * How often records of a task could not be processed, as Kafka Connect counts it in `task-error-metrics`: plain fields, each
 * moved by the step that finds out.
 */
export interface TaskErrors {
  /** Attempts to convert, transform or produce a record that failed, repeated ones included. `total-record-failures`. */
  failures: number;
  /** Records that failed, tolerated or not. `total-record-errors`. */
  errors: number;
  /** Records left out because of `errors.tolerance=all`. `total-records-skipped`. */
  skipped: number;
  /** Attempts that were repeated. `total-retries`. */
  retries: number;
  /** Failures written to the log. `total-errors-logged`. */
  logged: number;
  /** Records handed to the dead letter topic. `deadletterqueue-produce-requests`. */
  deadLetters: number;
  /** Records that the dead letter topic did not take. `deadletterqueue-produce-failures`. */
  deadLetterFailures: number;
  /** Time of the last failure, in milliseconds since 1970; 0: there was none. `last-error-timestamp`. */
  lastErrorAt: number;
}

/** The counts of a task that has just begun. */
export function noTaskErrors(): TaskErrors {
  return {
    failures: 0,
    errors: 0,
    skipped: 0,
    retries: 0,
    logged: 0,
    deadLetters: 0,
    deadLetterFailures: 0,
    lastErrorAt: 0,
  };
}
