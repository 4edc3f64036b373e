import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';

const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

/** The alert rules for Prometheus. */
export const ALERT_RULES = rulesSchema
  .parse(parseYaml(readFileSync('docs/monitoring/alert-rules.yaml', 'utf8')))
  .groups.flatMap(({ rules }) => rules);

const { panels } = dashboardSchema.parse(JSON.parse(readFileSync('docs/monitoring/grafana-dashboard.json', 'utf8')));

/** An expression of the rules or of the dashboard, and where it stands. */
export interface Expression {
  readonly place: string;
  readonly query: string;
}

/** All of them, with values in the place of Grafana's variables. */
export const EXPRESSIONS: readonly Expression[] = [
  ...ALERT_RULES.map(({ alert, expr }) => ({ place: `rule ${alert}`, query: expr })),
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({
      place: `panel ${title}`,
      query: expr.replaceAll('$__rate_interval', '5m').replaceAll('$environment', 'sandbox|production|any'),
    })),
  ),
];
