import { describeOptionProblems } from '@levada/test-peers/option-problems';
import { webSocketSourceConnector, websocketSource } from '../src/index.ts';

describeOptionProblems({
  factory: websocketSource,
  name: 'websocketSource',
  keys: webSocketSourceConnector.config.keys,
  sound: { url: 'wss://h', topic: 't' },
  soundConfig: { 'websocket.url': 'wss://h', 'platform.topic': 't' },
});
