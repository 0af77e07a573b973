import { describeOptionsInEditor } from '@levada/test-peers/editor';
import { webSocketSourceConnector } from '../src/index.ts';

describeOptionsInEditor({
  folder: new URL('../', import.meta.url),
  packageName: '@levada/source-websocket',
  factory: 'websocketSource',
  optionsType: 'WebSocketOptions',
  keys: webSocketSourceConnector.config.keys,
});
