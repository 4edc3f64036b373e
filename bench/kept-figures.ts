import type { Figure } from './benchmark.ts';

/** The figures of a run so far. */
export interface KeptFigures {
  /** Keeps figures, in place of earlier ones of the same thing. One that has no value yet is left out. */
  keep(figures: readonly Figure[]): void;
  /** In the order in which each was kept first. */
  all(): readonly Figure[];
}

/** @param save called with all figures when some were kept */
export function createKeptFigures(save: (figures: readonly Figure[]) => void): KeptFigures {
  const kept = new Map<string, Figure>();
  const all = (): readonly Figure[] => [...kept.values()];
  return {
    keep(figures) {
      for (const figure of figures) {
        if (Number.isFinite(figure.value)) kept.set(JSON.stringify([figure.what, figure.at]), figure);
      }
      save(all());
    },
    all,
  };
}
