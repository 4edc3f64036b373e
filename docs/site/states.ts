import { instance } from '@viz-js/viz';
import {
  INITIAL_STATUS,
  isTerminal,
  OPERATION_STATUSES,
  PAYMENT_STATUSES,
  type PaymentOperation,
  type PaymentStatus,
  TRANSITIONS,
} from '../../domain/payment-state.ts';
import { breakable, html, type Content, type Markup, Markup as RawMarkup } from './html.ts';

const graphviz = await instance();

/** How the API calls the operations. */
const OPERATION_NAMES: Readonly<Record<PaymentOperation, string>> = {
  confirm: 'confirm',
  update: 'update',
  cancel: 'cancel',
  capture: 'capture',
};

/** The state machine's table as a picture and as a table. */
export function renderStates(): Markup {
  return html`
    <figure class="diagram" tabindex="0">
      ${new RawMarkup(drawStates())}
      <figcaption>A payment ends in one of the states with a double border. The table has the same arrows.</figcaption>
    </figure>
    <div class="table" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">May become</th>
            <th scope="col">Operations</th>
          </tr>
        </thead>
        <tbody>
          ${PAYMENT_STATUSES.map(renderRow)}
        </tbody>
      </table>
    </div>
  `;
}

function renderRow(status: PaymentStatus): Markup {
  const operations = Object.entries(OPERATION_NAMES).filter(([operation]) =>
    OPERATION_STATUSES[operation as PaymentOperation].includes(status),
  );
  return html`<tr>
    <th scope="row"><code>${breakable(status)}</code></th>
    <td>${listOf(TRANSITIONS[status])}</td>
    <td>${operations.map(([, name]) => name).join(', ') || 'none'}</td>
  </tr>`;
}

function listOf(statuses: readonly PaymentStatus[]): Content {
  if (statuses.length === 0) return 'nothing: it is final';
  return statuses.map((status, index) => [index > 0 && ', ', html`<code>${breakable(status)}</code>`]);
}

/** An SVG whose colours the style sheet sets. */
function drawStates(): string {
  const nodes = PAYMENT_STATUSES.map((status) => {
    const [className, peripheries] = isTerminal(status) ? ['final', 2] : ['open', 1];
    return `"${status}" [class="${status === INITIAL_STATUS ? 'first' : className}", peripheries=${peripheries}]`;
  });
  const edges = PAYMENT_STATUSES.flatMap((from) => TRANSITIONS[from].map((to) => `"${from}" -> "${to}"`));
  const svg = graphviz.renderString(
    `digraph {
      graph [rankdir=TB, bgcolor=transparent, nodesep=0.35, ranksep=0.55, pad=0.1]
      node [shape=box, style=rounded, fontname="Helvetica", fontsize=13, margin="0.16,0.1"]
      edge [arrowsize=0.7]
      ${[...nodes, ...edges].join('\n')}
    }`,
    { format: 'svg' },
  );
  return svg
    .slice(svg.indexOf('<svg'))
    .replace('<svg ', '<svg role="img" aria-label="The states of a payment intent and the transitions between them" ')
    .replaceAll(/<title>[^<]*<\/title>\n?/g, '')
    .replaceAll(/ (fill|stroke)="(?!none|transparent)[^"]*"/g, '')
    .replaceAll(/ font-family="[^"]*"/g, '');
}
