import type { MetricGroup } from '@levada/connect-runtime-core';
import type { FamilyCollector } from './prometheus-text.ts';

/** What Prometheus takes for a name. Any other would make the whole text unreadable. */
const seriesName = /^[A-Za-z_:][\w:]*$/;

/** The attributes of one connector's table that have a series. */
export function addConnectorSeries(
  to: FamilyCollector,
  labels: Readonly<Record<string, string>>,
  group: MetricGroup,
): void {
  for (const [attribute, row] of Object.entries(group.table)) {
    const { series } = row;
    if (series === undefined || !seriesName.test(series.name)) continue;
    const value = group.read(attribute);
    if (value === series.absentAt) continue;
    to.add(
      { name: series.name, type: row.kind === 'counter' ? 'counter' : 'gauge', help: row.help },
      { labels: { ...labels, ...series.labels }, value: value * (series.scale ?? 1) },
    );
  }
}
