/** How many AnyValues may be inside each other, counting the outermost. Those deeper inside are left empty. */
export const MAX_ANY_VALUES = 64;

/** How many groups of unknown fields may be inside each other. */
export const MAX_GROUPS = 100;

/**
 * How many messages and groups may be inside each other, counting the request. Enough for {@link MAX_ANY_VALUES} in maps wherever
 * they may be; converters of what was checked need to go as deep.
 */
export const MAX_DEPTH = 200;
