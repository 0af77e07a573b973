import { type Refusal, refused } from '../receive/admission/export-outcome.ts';

/** The answer to an export that a full queue dropped; it is counted as received and dropped, and not as rejected. */
export const queueFull: Refusal = refused('unavailable', 'queue full');

/** The end of an export whose client left while it was held. Never sent, and not counted: nothing was taken of it. */
export const clientGone: Refusal = refused('unavailable', 'the client is gone');
