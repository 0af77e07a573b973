import { describeOptionsInEditor, describeReadmeInEditor } from '@levada/test-peers/editor';
import { webSocketSourceConnector } from '../src/index.ts';

const folder = new URL('../', import.meta.url);

describeReadmeInEditor(folder);
describeOptionsInEditor({
  folder,
  packageName: '@levada/source-websocket',
  factory: 'websocketSource',
  optionsType: 'WebSocketOptions',
  keys: webSocketSourceConnector.config.keys,
});
