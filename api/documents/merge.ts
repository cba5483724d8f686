// Merges the segments of the index of documents once nobody has written to it for a while.
import type { SegmentedIndex } from '../../db/dialect.ts';
import { mergeSome, segmentedIndexes, segmentsOf } from '../../db/queries/knowledge/merge.ts';
import type { ApiContext } from '../context.ts';

const PAGES = 100;
/** 60,000 passages take some hundred. */
const STEPS_MAX = 1_000;

export class IndexMerge {
  readonly #context: Pick<ApiContext, 'db' | 'read'>;
  readonly #seen = new Map<SegmentedIndex, number>();

  constructor(context: Pick<ApiContext, 'db' | 'read'>) {
    this.#context = context;
  }

  /** Merges where there are as many segments as at the last look. */
  async run(): Promise<void> {
    const { db, read } = this.#context;
    for (const index of segmentedIndexes(db)) {
      const segments = await segmentsOf(read, index);
      const isQuiet = segments === this.#seen.get(index);
      this.#seen.set(index, segments);
      if (segments < 2 || !isQuiet) continue;
      await mergeSome(db, index, -PAGES);
      for (let step = 0; step < STEPS_MAX && (await segmentsOf(read, index)) > 1; step++)
        await mergeSome(db, index, PAGES);
    }
  }
}
