import { stringify } from 'yaml';
import type { OutputForm } from './output-form.ts';
import { renderTable, type TableRow } from './table.ts';

/** Data as text: JSON and YAML show the whole value, the table its rows. */
export function render(form: OutputForm, value: unknown, rows: () => readonly TableRow[]): string {
  switch (form) {
    case 'json':
      return `${JSON.stringify(value, null, 2)}\n`;
    case 'yaml':
      return stringify(value);
    case 'table':
      return renderTable(rows());
  }
}
