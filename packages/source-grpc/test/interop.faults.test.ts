import { describePeers } from '@levada/test-peers/grpc';
import { describe } from 'vitest';
import { describeConnections } from './peers/connection-behaviours.ts';
import { describeMessages } from './peers/message-behaviours.ts';
import { testedTransports } from './peers/peer-call.ts';
import { describeTask } from './peers/task-behaviours.ts';

describePeers('with a server in', (peer) => {
  describe.each(testedTransports)('over $name', (tested) => {
    describeMessages(peer, tested);
    describeConnections(peer, tested);
  });
  describeTask(peer);
});
