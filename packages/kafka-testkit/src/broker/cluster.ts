import { type Broker, type BrokerOptions, startNode } from './broker.ts';
import { newId } from './data-folder.ts';
import { freePorts } from './free-port.ts';

const NODES = 3;

/** How the brokers of a cluster are to be; each has a temporary folder. */
export type ClusterOptions = Omit<BrokerOptions, 'folder'>;

/** Three brokers, so that leaders can move. */
export interface BrokerCluster {
  /** By node id, from 1 on. */
  readonly brokers: readonly Broker[];
  /** Addresses of all brokers. */
  readonly bootstrap: string;
  /** The broker with that node id. */
  node(id: number): Broker;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** With these, the cluster notices within two seconds that a node is gone, as controller and as broker. */
const quickToMiss = {
  'broker.session.timeout.ms': '2000',
  'controller.quorum.fetch.timeout.ms': '1000',
  'controller.quorum.election.timeout.ms': '500',
  'controller.quorum.election.backoff.max.ms': '500',
  'replica.lag.time.max.ms': '5000',
  'unclean.leader.election.enable': 'false',
};

/** Starts three brokers that are controllers too, each with a folder of its own. */
export async function startCluster(options: ClusterOptions = {}): Promise<BrokerCluster> {
  const clusterId = newId();
  const controllerPorts = await freePorts(NODES);
  const settings = { ...quickToMiss, ...options.settings };
  const starting = controllerPorts.map((_, index) =>
    startNode({ ...options, settings }, { nodeId: index + 1, clusterId, controllerPorts }),
  );
  const started = await Promise.allSettled(starting);
  const brokers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(brokers.map((broker) => broker.stop()));
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    brokers,
    bootstrap: brokers.map(({ bootstrap }) => bootstrap).join(','),
    node: (id) => {
      const broker = brokers[id - 1];
      if (broker === undefined) throw new Error(`the cluster has no node ${id}`);
      return broker;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
