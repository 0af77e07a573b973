import { describeOptionsInEditor, describeReadmeInEditor } from '@levada/test-peers/editor';
import { otlpSourceConnector } from '../src/index.ts';

const folder = new URL('../', import.meta.url);

describeReadmeInEditor(folder);
describeOptionsInEditor({
  folder,
  packageName: '@levada/source-otlp',
  factory: 'otlpSource',
  optionsType: 'OtlpOptions',
  keys: otlpSourceConnector.config.keys,
});
