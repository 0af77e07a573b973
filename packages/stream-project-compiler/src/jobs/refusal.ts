import type { TopicSchema } from './topic-schemas.ts';

/** Why a model has no job: completes "because". */
export interface Refusal {
  readonly refused: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The project asks for something that cannot be. */
  readonly isMistake?: boolean;
  /** Schemas of its topic, where only the engine does not write them. */
  readonly schemas?: readonly TopicSchema[];
}

/** Whether there is no result. */
export function isRefusal(result: object): result is Refusal {
  return 'refused' in result;
}
