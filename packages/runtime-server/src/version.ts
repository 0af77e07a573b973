/** Version of this package; a test compares it with package.json. */
export const version = '0.1.0';

/**
 * Level of the Kafka Connect API that is offered, answered by `GET /`: clients compare it to decide which endpoints they may
 * use, and expect `<int>.<int>`.
 */
export const connectApiLevel = '3.9.1';
