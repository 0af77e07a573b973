import type { Validator } from '@levada/connect-runtime-core';

/** A JSON object; its fields are checked against the descriptor where that is known. */
export const requestText: Validator = { allowed: 'JSON object', check: () => undefined };
