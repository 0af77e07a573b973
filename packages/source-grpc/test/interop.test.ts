import { describeConnections } from './peers/connection-behaviours.ts';
import { describePeers } from './peers/describe-peers.ts';
import { describeMessages } from './peers/message-behaviours.ts';

describePeers('the transport with', (peer) => {
  describeMessages(peer);
  describeConnections(peer);
});
