// This file makes suites and is none: their names and whether they run depend on the machine.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-describe-callback, vitest/valid-title, vitest/expect-expect, vitest/no-disabled-tests */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Broker, type BrokerOptions, startBroker } from './broker/broker.ts';
import { brokerUnavailable } from './broker/broker-unavailable.ts';

/** The first start on a machine fetches the jars. */
const START_LIMIT_MS = 420_000;
const STOP_LIMIT_MS = 30_000;

/**
 * A vitest suite with one broker for all its tests; `broker()` is for use inside tests. Where no broker can be started the
 * suite is skipped and its name says why; with `CI=true` it fails instead.
 */
export function describeWithBroker(
  name: string,
  options: BrokerOptions,
  body: (broker: () => Broker) => void,
): void {
  const reason = brokerUnavailable(options.version);
  if (reason === undefined) {
    describe(name, () => body(brokerOfSuite(options)));
  } else if (process.env['CI'] === 'true') {
    describe(name, () => {
      it('has a broker to run against', () => {
        throw new Error(reason);
      });
    });
  } else {
    process.stderr.write(`skipped "${name}": ${reason}\n`);
    describe.skip(`${name} (${reason})`, () => body(brokerOfSuite(options)));
  }
}

function brokerOfSuite(options: BrokerOptions): () => Broker {
  let broker: Broker | undefined;
  beforeAll(async () => {
    broker = await startBroker(options);
  }, START_LIMIT_MS);
  afterAll(() => broker?.stop(), STOP_LIMIT_MS);
  return () => {
    if (broker === undefined) throw new Error('the broker is there only while tests run');
    return broker;
  };
}
