import { describePeers } from '@levada/test-peers/grpc';
import { describeConnections } from './peers/connection-behaviours.ts';
import { describeMessages } from './peers/message-behaviours.ts';
import { describeTask } from './peers/task-behaviours.ts';

describePeers('with a server in', (peer) => {
  describeMessages(peer);
  describeConnections(peer);
  describeTask(peer);
});
