import { describeSourceForms } from './describe-source-forms.ts';

describeSourceForms('2.2.0');
