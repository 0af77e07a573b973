import { plannerVersions } from '@levada/test-peers/engine';
import { describeSourceForms } from './describe-source-forms.ts';

// Another tier runs it on 2.2.0
for (const version of plannerVersions) if (version !== '2.2.0') describeSourceForms(version);
