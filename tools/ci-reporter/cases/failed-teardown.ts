/** A global setup whose teardown fails after the tests have passed. */
export function teardown(): void {
  throw new Error('the teardown failed');
}
