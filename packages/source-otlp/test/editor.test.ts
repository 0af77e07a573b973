import { describeOptionsInEditor } from '@levada/test-peers/editor';
import { otlpSourceConnector } from '../src/index.ts';

describeOptionsInEditor({
  folder: new URL('../', import.meta.url),
  packageName: '@levada/source-otlp',
  factory: 'otlpSource',
  optionsType: 'OtlpOptions',
  keys: otlpSourceConnector.config.keys,
});
