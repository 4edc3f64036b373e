import { parser } from '@prometheus-io/lezer-promql';
import type { Sample } from './metrics.ts';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** The time series that an expression reads. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  /** Labels by which the expression aggregates them. */
  readonly grouping: readonly string[];
}

/** What an expression reads. @throws SyntaxError */
export function selectorsOf(expression: string): readonly Selector[] {
  const selectors: Selector[] = [];
  const textOf = ({ from, to }: SyntaxNode): string => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter({ type, node }) {
      if (type.isError) throw new SyntaxError(`not PromQL at ${node.from}: ${expression}`);
      if (type.name !== 'VectorSelector') return;
      const identifier = node.getChild('Identifier');
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      selectors.push({
        metric: identifier === null ? '' : textOf(identifier),
        matchers: matchers.map((matcher) => {
          const [label = '', operator = '', value = ''] = childrenOf(matcher).map(textOf);
          return { label, operator, value: value.slice(1, -1) };
        }),
        grouping: aggregatesAround(node).flatMap(groupingOf).map(textOf),
      });
    },
  });
  return selectors;
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function aggregatesAround(node: SyntaxNode): readonly SyntaxNode[] {
  const aggregates: SyntaxNode[] = [];
  for (let parent = node.parent; parent !== null; parent = parent.parent) {
    if (parent.name === 'AggregateExpr') aggregates.push(parent);
  }
  return aggregates;
}

function groupingOf(aggregate: SyntaxNode): readonly SyntaxNode[] {
  return aggregate.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
}

const MATCHES: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  '=': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  '=~': (value, wanted) => new RegExp(`^(?:${wanted})$`).test(value),
  '!~': (value, wanted) => !new RegExp(`^(?:${wanted})$`).test(value),
};

/** Whether a sample has a label's value as a matcher wants it; a label that is absent counts as empty. */
export function matches({ labels }: Sample, { label, operator, value }: Matcher): boolean {
  return MATCHES[operator]?.(labels[label] ?? '', value) ?? false;
}
