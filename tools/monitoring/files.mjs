// The files that an operator hands to Prometheus and Grafana.
import { alertRules } from './alert-rules.mjs';
import { dashboardFile, seriesIn } from './dashboard.mjs';
import { ruleFile, ruleTestFile } from './rule-files.mjs';

const folder = 'packages/runtime-server/monitoring';
/** A chart holds all that it installs. */
const chart = 'deploy/helm/levada/files';

/** Path to content. Throws when a rule or a panel names a series that no worker shows. */
export function monitoringFiles(help) {
  const helpOf = (name) => {
    const text = help.get(name);
    if (text === undefined) throw new Error(`no metric table has a series "${name}"`);
    return text;
  };
  for (const { expr } of alertRules) seriesIn(expr).forEach(helpOf);
  const dashboard = dashboardFile(helpOf);
  return {
    [`${folder}/prometheus-rules.yml`]: ruleFile(),
    [`${folder}/prometheus-rules.test.yml`]: ruleTestFile(),
    [`${folder}/grafana-dashboard.json`]: dashboard,
    [`${chart}/prometheus-rules.yml`]: ruleFile(),
    [`${chart}/grafana-dashboard.json`]: dashboard,
  };
}
