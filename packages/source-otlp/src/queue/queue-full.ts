import { type Refusal, refused } from '../receive/admission/export-outcome.ts';

/** The answer to an export that a full queue dropped; it is counted as received and dropped, and not as rejected. */
export const queueFull: Refusal = refused('unavailable', 'queue full');
