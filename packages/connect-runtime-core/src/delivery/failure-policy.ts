import type { ErrorCode } from '../diagnostics/error-codes.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';

/**
 * What a record that cannot be produced means: it is dropped and the task continues (`drop`), the task fails (`fail`), or the
 * time to stop ran out (`undelivered`). Its offset is committed in the first case only.
 */
export interface FailureVerdict {
  readonly cause: DropCause;
  readonly action: 'drop' | 'fail' | 'undelivered';
}

export interface FailureCircumstances {
  /** `errors.tolerance=all`. */
  readonly tolerant: boolean;
  /** The record has an offset: a new task reads it again when it was not committed. */
  readonly resumable: boolean;
}

type Rule = (circumstances: FailureCircumstances) => FailureVerdict;

const failUnlessTolerant =
  (cause: DropCause): Rule =>
  ({ tolerant }) => ({ cause, action: tolerant ? 'drop' : 'fail' });

const rules: Partial<Record<ErrorCode, Rule>> = {
  record_too_large: () => ({ cause: 'record_too_large', action: 'drop' }),
  conversion_failed: failUnlessTolerant('conversion_error'),
  // The log may have stored it, so it is never sent again by this task. What can be read again is left to a new task.
  delivery_timeout: ({ tolerant, resumable }) => ({
    cause: 'delivery_unknown',
    action: resumable && !tolerant ? 'fail' : 'drop',
  }),
  closed: () => ({ cause: 'shutdown_timeout', action: 'undelivered' }),
  fenced: () => ({ cause: 'fenced', action: 'fail' }),
};

/** The one place that decides the outcome of a record that was not produced. */
export function judgeFailure(code: ErrorCode, circumstances: FailureCircumstances): FailureVerdict {
  const rule = rules[code] ?? failUnlessTolerant('produce_rejected');
  return rule(circumstances);
}
