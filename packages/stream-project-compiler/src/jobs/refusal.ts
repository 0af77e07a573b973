/** Why a model has no job: completes "because". */
export interface Refusal {
  readonly refused: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** Whether there is no result. */
export function isRefusal(result: object): result is Refusal {
  return 'refused' in result;
}
